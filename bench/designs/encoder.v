// The number of the highest bit that is set.
module encoder (input clk, input [7:0] in);
  reg [2:0] at;
  reg [7:0] kept;
  initial begin at = 0; kept = 0; end
  wire [3:0] half = |in[7:4] ? in[7:4] : in[3:0];
`ifdef BUG
  wire [1:0] low = half[3] ? 3 : half[1] ? 1 : half[2] ? 2 : 0;
`else
  wire [1:0] low = half[3] ? 3 : half[2] ? 2 : half[1] ? 1 : 0;
`endif
  always @(posedge clk) begin at <= {|in[7:4], low}; kept <= in; end
  always @* highest: assert (kept == 0 || kept >> at == 1);
endmodule
