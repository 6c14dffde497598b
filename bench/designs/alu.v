// Sums and differences with flags for what does not fit.
module alu (input clk, input signed [5:0] x, input signed [5:0] y, input sub);
  reg signed [5:0] result;
  reg overflow;
  reg signed [6:0] exact;
  initial begin result = 0; overflow = 0; exact = 0; end
  wire [5:0] other = sub ? ~y : y;
  wire [5:0] sum = x + other + sub;
  always @(posedge clk) begin
    result <= sum;
`ifdef BUG
    overflow <= x[5] == y[5] && sum[5] != x[5];
`else
    overflow <= x[5] == other[5] && sum[5] != x[5];
`endif
    exact <= sub ? x - y : x + y;
  end
  always @* flagged: assert (overflow == (exact != result));
endmodule
