// Counts from 0 to 9.
module counter_modulo (input clk, input enable, output reg [3:0] value);
  initial value = 0;
`ifdef BUG
  localparam LAST = 10;
`else
  localparam LAST = 9;
`endif
  always @(posedge clk)
    if (enable) value <= value == LAST ? 0 : value + 1;
  always @* below_ten: assert (value < 10);
endmodule
