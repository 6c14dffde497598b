// Two clients take turns; one that waits gets the bus after at most two grants of the other.
module arbiter_turns (input clk, input [1:0] req, output reg [1:0] grant);
  reg last;
  reg [1:0] waited;
  initial begin grant = 0; last = 0; waited = 0; end
  wire pick = (req == 2'b11) ? !last : req[1];
  always @(posedge clk) begin
    grant <= req == 0 ? 0 : (2'b01 << pick);
`ifdef BUG
    if (req == 2'b11) last <= pick & req[0] & last;
`else
    if (req != 0) last <= pick;
`endif
    waited <= req[0] && pick ? waited + 1 : 0;
  end
  always @* fair: assert (waited < 3);
endmodule
