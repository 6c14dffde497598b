// What is offered stays until it is taken.
module handshake (input clk, input start, input [3:0] in, input ready, output reg valid, output reg [3:0] data);
  reg was_waiting;
  reg [3:0] before;
  initial begin valid = 0; was_waiting = 0; end
  always @(posedge clk) begin
    was_waiting <= valid && !ready;
    before <= data;
`ifdef BUG
    if (start) begin valid <= 1; data <= in; end
`else
    if (start && (!valid || ready)) begin valid <= 1; data <= in; end
`endif
    else if (ready) valid <= 0;
  end
  always @* stays: assert (!was_waiting || valid && data == before);
endmodule
