// A stack of four: what was pushed last comes out first.
module stack (input clk, input push, input pop, input [1:0] in);
  reg [1:0] mem[0:3];
  reg [2:0] sp;
  reg [1:0] newest;
  reg fresh;
  initial begin sp = 0; fresh = 0; end
  wire [1:0] top = mem[sp - 1];
  always @(posedge clk) begin
    fresh <= 0;
    if (push && sp != 4) begin mem[sp] <= in; sp <= sp + 1; newest <= in; fresh <= 1; end
`ifdef BUG
    else if (pop) sp <= sp - 1;
`else
    else if (pop && sp != 0) sp <= sp - 1;
`endif
  end
  always @* within: assert (sp <= 4 && (!fresh || top == newest));
endmodule
