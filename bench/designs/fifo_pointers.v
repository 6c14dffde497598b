// A queue whose pointers have one bit more than its addresses.
module fifo_pointers (input clk, input push, input pop, input [7:0] din, output reg [7:0] dout);
  reg [7:0] mem[0:3];
  reg [2:0] wr, rd;
  initial begin wr = 0; rd = 0; end
  wire [2:0] used = wr - rd;
`ifdef BUG
  wire full = wr[1:0] == rd[1:0] && wr[2] == 1 && rd[2] == 0;
`else
  wire full = wr[1:0] == rd[1:0] && wr[2] != rd[2];
`endif
  wire empty = wr == rd;
  always @(posedge clk) begin
    if (push && !full) begin mem[wr[1:0]] <= din; wr <= wr + 1; end
    if (pop && !empty) begin dout <= mem[rd[1:0]]; rd <= rd + 1; end
  end
  always @* fits: assert (used <= 4);
endmodule
