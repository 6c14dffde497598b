// On for as many of eight cycles as it is told.
module pwm (input clk, input [3:0] wish, output on);
  reg [2:0] phase;
  reg [3:0] duty, count;
  initial begin phase = 0; duty = 0; count = 0; end
`ifdef BUG
  assign on = phase <= duty && duty != 0;
`else
  assign on = phase < duty;
`endif
  always @(posedge clk) begin
    phase <= phase + 1;
    count <= phase == 7 ? 0 : count + on;
    if (phase == 7) duty <= wish > 8 ? 8 : wish;
  end
  always @* as_told: assert (phase != 7 || count + on == duty);
endmodule
