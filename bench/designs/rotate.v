// A barrel rotator in three stages is the same as rotating step by step.
module rotate (input clk, input [7:0] in, input [2:0] by);
  wire [7:0] one = by[0] ? {in[6:0], in[7]} : in;
  wire [7:0] two = by[1] ? {one[5:0], one[7:6]} : one;
`ifdef BUG
  wire [7:0] out = by[2] ? {two[3:0], two[7:5], two[7]} : two;
`else
  wire [7:0] out = by[2] ? {two[3:0], two[7:4]} : two;
`endif
  wire [15:0] twice = {in, in} << by;
  always @* rotated: assert (out == twice[15:8]);
endmodule
