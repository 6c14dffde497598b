// A queue with a count of its entries.
module fifo_count (input clk, input rst, input push, input pop, input [3:0] din, output [3:0] dout);
  reg [3:0] mem[0:3];
  reg [1:0] head, tail;
  reg [2:0] count;
  initial begin head = 0; tail = 0; count = 0; end
`ifdef BUG
  wire full = count >= 5;
`else
  wire full = count >= 4;
`endif
  wire empty = count == 0;
  wire do_push = push && !full;
  wire do_pop = pop && !empty;
  assign dout = mem[tail];
  always @(posedge clk)
    if (rst) begin head <= 0; tail <= 0; count <= 0; end
    else begin
      if (do_push) begin mem[head] <= din; head <= head + 1; end
      if (do_pop) tail <= tail + 1;
      count <= count + do_push - do_pop;
    end
  always @* no_overflow: assert (count <= 4);
endmodule
