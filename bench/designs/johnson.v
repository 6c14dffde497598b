// A ring of three that is turned over at its end; six codes are right.
module johnson (input clk, input stop, output reg [2:0] ring);
  initial ring = 0;
  always @(posedge clk)
`ifdef BUG
    if (!stop || ring == 3'b011) ring <= {ring[1:0], ~ring[2] & ~(stop & ring[1])};
`else
    if (!stop) ring <= {ring[1:0], ~ring[2]};
`endif
  always @* right_code: assert (ring != 3'b010 && ring != 3'b101);
endmodule
