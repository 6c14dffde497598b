// Four stages of delay, as a shift register and as a row of registers.
module shift_delay (input clk, input hold, input in);
  reg [3:0] line;
  reg a, b, c, d;
  initial begin line = 0; a = 0; b = 0; c = 0; d = 0; end
  always @(posedge clk) begin
    if (!hold) begin line <= {line[2:0], in}; {d, c, b, a} <= {c, b, a, in}; end
`ifdef BUG
    else line <= {line[2:1], line[1], line[0]};
`endif
  end
  always @* same: assert (line[3] == d);
endmodule
