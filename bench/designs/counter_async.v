// Counts up to a limit; the reset does not wait for the clock.
module counter_async (input clk, input rst, input tick, output reg [3:0] value);
  initial value = 0;
  always @(posedge clk or posedge rst)
    if (rst) value <= 0;
`ifdef BUG
    else if (tick) value <= value + 1;
`else
    else if (tick && value != 6) value <= value + 1;
`endif
  always @* at_most_six: assert (value <= 6);
endmodule
