// A reset that is seen by two registers, one after the other, and released in step. Nothing starts as something known.
module reset_bridge (input clk, input rst, input [3:0] in);
  reg r1, r2;
  reg [3:0] sum;
  reg seen;
  initial seen = 0;
  always @(posedge clk) begin
    r1 <= rst; r2 <= r1;
    if (rst) seen <= 1;
`ifdef BUG
    if (r2) sum <= 0;
`else
    if (r1 || rst) sum <= 0;
`endif
    else if (sum < 8) sum <= sum + (in & 7);
    else sum <= 0;
  end
  always @* below: assert (!seen || sum < 15);
endmodule
