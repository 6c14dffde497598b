// The door is shut while the cabin moves.
module elevator (input clk, input [1:0] call, input button, input blocked, output reg moving, output reg door);
  reg [1:0] floor, target;
  initial begin moving = 0; door = 0; floor = 0; target = 0; end
  always @(posedge clk) begin
    if (!moving) begin
      if (button) begin target <= call; end
      if (door) door <= blocked;
`ifdef BUG
      if (target != floor && !(door && !blocked)) moving <= 1;
`else
      if (target != floor && !door) moving <= 1;
`endif
    end else begin
      if (floor == target) begin moving <= 0; door <= 1; end
      else floor <= floor < target ? floor + 1 : floor - 1;
    end
  end
  always @* shut: assert (!(moving && door));
endmodule
