// A bus of 512 bits, taken as a whole and word by word: both are the same.
module wide_bus (input clk, input load, input [511:0] in);
  reg [511:0] whole, parts;
  initial begin whole = 0; parts = 0; end
  integer i;
  always @(posedge clk) if (load) begin
    whole <= in;
    for (i = 0; i < 8; i = i + 1)
`ifdef BUG
      parts[64*i +: 64] <= i == 5 ? {1'b0, in[64*i +: 63]} : in[64*i +: 64];
`else
      parts[64*i +: 64] <= in[64*i +: 64];
`endif
  end
  always @* same: assert (whole == parts);
endmodule
