// Two roads with lights; between two greens all is red.
module traffic (input clk, input car, input side, output [1:0] main_light, output [1:0] side_light);
  localparam RED = 0, YELLOW = 1, GREEN = 2;
  reg [2:0] state;
  reg [1:0] timer;
  initial begin state = 0; timer = 0; end
  always @(posedge clk) begin
    timer <= timer + 1;
    case (state)
      0: if (side && timer == 3) state <= 1;
      1: state <= 2;
`ifdef BUG
      2: state <= car ? 0 : 3;
      3: if (timer == 3 || car) state <= car ? 5 : 4;
`else
      2: state <= 3;
      3: if (timer == 3 || car) state <= 4;
`endif
      4: state <= 5;
      default: state <= 0;
    endcase
  end
  assign main_light = state == 0 ? GREEN : state == 1 ? YELLOW : RED;
  assign side_light = state == 3 ? GREEN : state == 4 ? YELLOW : RED;
  reg [1:0] side_before;
  initial side_before = RED;
  always @(posedge clk) side_before <= side_light;
  always @* yellow_first: assert (!(side_before == GREEN && side_light == RED));
endmodule
