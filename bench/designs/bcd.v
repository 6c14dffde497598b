// Two decimal digits.
module bcd (input clk, input up, input [3:0] preset, input load, output reg [3:0] ones, output reg [3:0] tens);
  initial begin ones = 0; tens = 0; end
  always @(posedge clk)
    if (load && preset <= 9) tens <= preset;
    else if (up) begin
      ones <= ones == 9 ? 0 : ones + 1;
`ifdef BUG
      if (ones == 9) tens <= tens + 1;
`else
      if (ones == 9) tens <= tens == 9 ? 0 : tens + 1;
`endif
    end
  always @* digits: assert (ones <= 9 && tens <= 9);
endmodule
