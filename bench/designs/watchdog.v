// Bites after eight cycles without a kick, and never within them.
module watchdog (input clk, input kick, output reg bite);
  reg [3:0] timer, quiet;
  initial begin timer = 0; quiet = 0; bite = 0; end
  always @(posedge clk) begin
    quiet <= kick ? 0 : quiet == 15 ? 15 : quiet + 1;
`ifdef BUG
    timer <= kick && timer != 5 ? 0 : timer == 8 ? 8 : timer + 1;
`else
    timer <= kick ? 0 : timer == 8 ? 8 : timer + 1;
`endif
    bite <= timer == 8;
  end
  always @* patient: assert (!bite || quiet >= 8 || quiet == 0);
endmodule
