// Peterson's mutual exclusion; who moves next is an input.
module mutex (input clk, input who);
  reg [1:0] pc0, pc1;
  reg [1:0] wants;
  reg turn;
  initial begin pc0 = 0; pc1 = 0; wants = 0; turn = 0; end
  always @(posedge clk)
    if (!who) case (pc0)
      0: begin wants[0] <= 1; pc0 <= 1; end
      1: begin turn <= 1; pc0 <= 2; end
      2: if (!wants[1] || turn == 0) pc0 <= 3;
      3: begin wants[0] <= 0; pc0 <= 0; end
    endcase
    else case (pc1)
      0: begin wants[1] <= 1; pc1 <= 1; end
`ifdef BUG
      1: begin turn <= 1; pc1 <= 2; end
`else
      1: begin turn <= 0; pc1 <= 2; end
`endif
      2: if (!wants[0] || turn == 1) pc1 <= 3;
      3: begin wants[1] <= 0; pc1 <= 0; end
    endcase
  always @* one_inside: assert (!(pc0 == 3 && pc1 == 3));
endmodule
