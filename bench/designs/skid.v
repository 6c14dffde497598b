// A register that may hold one word more when the reader stops; nothing is lost.
module skid (input clk, input in_valid, input [1:0] in, input out_ready, output in_ready);
  reg valid, extra;
  reg [1:0] data, spare;
  reg [3:0] entered, left;
  initial begin valid = 0; extra = 0; entered = 0; left = 0; end
`ifdef BUG
  assign in_ready = !extra || out_ready;
`else
  assign in_ready = !extra;
`endif
  wire enters = in_valid && in_ready;
  wire leaves = valid && out_ready;
  always @(posedge clk) begin
    entered <= entered + enters;
    left <= left + leaves;
    if (!valid || out_ready) begin
      valid <= extra || enters;
      data <= extra ? spare : in;
      extra <= 0;
    end else if (enters) begin extra <= 1; spare <= in; end
  end
  wire [3:0] inside = entered - left;
  always @* nothing_lost: assert (inside == valid + extra);
endmodule
