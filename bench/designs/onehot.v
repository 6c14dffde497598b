// One state at a time, if the environment keeps its word: never two commands at once.
module onehot (input clk, input go, input stop, output reg [2:0] state);
  initial state = 1;
  always @* one_command: assume (!(go && stop));
  always @(posedge clk) begin
    state <= state;
    if (state[0] && go) state <= 2;
    if (state[1]) begin
`ifdef BUG
      if (stop) state <= 3'b100;
      if (!go) state[0] <= 1;
`else
      if (stop) state <= 3'b100;
`endif
    end
    if (state[2] && !stop) state <= 1;
  end
  always @* one_state: assert (state == 1 || state == 2 || state == 4);
endmodule
