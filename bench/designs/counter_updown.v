// Counts up and down and stops at either end.
module counter_updown (input clk, input up, input down, output reg [2:0] value);
  initial value = 3;
  reg [2:0] before;
  initial before = 3;
  always @(posedge clk) begin
    before <= value;
    if (up && !down && value != 7) value <= value + 1;
`ifdef BUG
    if (down && !up) value <= value - 1;
`else
    if (down && !up && value != 0) value <= value - 1;
`endif
  end
  always @* no_wrap: assert (!(before == 0 && value == 7) && !(before == 7 && value == 0));
endmodule
