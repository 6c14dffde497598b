// Four numbers in order, by five comparators.
module sorter (input [2:0] a, input [2:0] b, input [2:0] c, input [2:0] d);
  wire [2:0] a1 = a < b ? a : b, b1 = a < b ? b : a;
  wire [2:0] c1 = c < d ? c : d, d1 = c < d ? d : c;
  wire [2:0] a2 = a1 < c1 ? a1 : c1, c2 = a1 < c1 ? c1 : a1;
  wire [2:0] b2 = b1 < d1 ? b1 : d1, d2 = b1 < d1 ? d1 : b1;
`ifdef BUG
  wire [2:0] b3 = b2, c3 = c2;
`else
  wire [2:0] b3 = b2 < c2 ? b2 : c2, c3 = b2 < c2 ? c2 : b2;
`endif
  always @* in_order: assert (a2 <= b3 && b3 <= c3 && c3 <= d2);
endmodule
