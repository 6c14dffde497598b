// A pulse of one cycle where the input rises.
module pulse (input clk, input in, output reg out);
  reg before, was;
  initial begin before = 0; out = 0; was = 0; end
  always @(posedge clk) begin
    before <= in;
    was <= out;
`ifdef BUG
    out <= in ^ before;
`else
    out <= in & ~before;
`endif
  end
  always @* one_cycle: assert (!(was && out));
endmodule
