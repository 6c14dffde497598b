// A slow timer that ticks every third cycle; what it counts fits.
module timer (input clk, input run, input clear, output reg [3:0] value);
  reg [1:0] scale;
  reg [5:0] cycles;
  initial begin value = 0; scale = 0; cycles = 0; end
  always @(posedge clk)
    if (clear) begin
      value <= 0; cycles <= 0;
`ifndef BUG
      scale <= 0;
`endif
    end else if (run && value != 15) begin
      cycles <= cycles + 1;
      scale <= scale == 2 ? 0 : scale + 1;
      if (scale == 2) value <= value + 1;
    end
  always @* third: assert (3 * value <= cycles && cycles <= 3 * value + 2);
endmodule
