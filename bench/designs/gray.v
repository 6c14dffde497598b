// A Gray code changes in one bit at a time.
module gray (input clk, input step, output [3:0] code);
  reg [3:0] count, before;
  initial begin count = 0; before = 0; end
`ifdef BUG
  assign code = count ^ (count >> 1) ^ (count == 11);
`else
  assign code = count ^ (count >> 1);
`endif
  always @(posedge clk) begin before <= code; if (step) count <= count + 1; end
  wire [3:0] change = before ^ code;
  always @* one_bit: assert ((change & (change - 1)) == 0);
endmodule
