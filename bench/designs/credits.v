// A sender may have three words under way.
module credits (input clk, input send, input back, output reg [1:0] credit);
  reg [1:0] under_way;
  initial begin credit = 3; under_way = 0; end
  wire sends = send && credit != 0;
  wire returns = back && under_way != 0;
  always @(posedge clk) begin
    under_way <= under_way + sends - returns;
`ifdef BUG
    if (returns) credit <= credit + 1;
    else if (sends) credit <= credit - 1;
`else
    credit <= credit - sends + returns;
`endif
  end
  wire [2:0] sum = credit + under_way;
  always @* balanced: assert (sum == 3);
endmodule
