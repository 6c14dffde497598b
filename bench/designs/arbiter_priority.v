// The lowest number wins.
module arbiter_priority (input clk, input [3:0] req, output reg [3:0] grant);
  initial grant = 0;
  always @(posedge clk) begin
    grant[0] <= req[0];
    grant[1] <= req[1] & ~req[0];
`ifdef BUG
    grant[2] <= req[2] & ~req[1];
`else
    grant[2] <= req[2] & ~|req[1:0];
`endif
    grant[3] <= req[3] & ~|req[2:0];
  end
  always @* one_at_most: assert ((grant & (grant - 1)) == 0);
endmodule
