// One token goes round among four.
module token (input clk, input [3:0] pass, input repair, output reg [3:0] has);
  initial has = 1;
  wire [3:0] leaving = has & pass;
  always @(posedge clk)
`ifdef BUG
    if (repair && has[3]) has <= has | 1;
`else
    if (repair && has == 0) has <= 1;
`endif
    else has <= has & ~pass | {leaving[2:0], leaving[3]};
  always @* one_token: assert (has == 1 || has == 2 || has == 4 || has == 8);
endmodule
