// A FIFO of four bytes. Whoever writes must look at `full`.
module fifo (
    input  wire       clk,
    input  wire       rst,
    input  wire       push,
    input  wire       pop,
    input  wire [7:0] din,
    output wire [7:0] dout,
    output wire       full,
    output wire       empty
);
  reg [7:0] mem[0:3];
  reg [1:0] head, tail;
  reg [2:0] count;

  assign full  = count >= 5;
  assign empty = count == 0;
  assign dout  = mem[tail];

  wire do_push = push && !full;
  wire do_pop  = pop && !empty;

  initial begin
    head  = 0;
    tail  = 0;
    count = 0;
  end

  always @(posedge clk) begin
    if (rst) begin
      head  <= 0;
      tail  <= 0;
      count <= 0;
    end else begin
      if (do_push) begin
        mem[head] <= din;
        head <= head + 1;
      end
      if (do_pop) tail <= tail + 1;
      count <= count + do_push - do_pop;
    end
  end

`ifdef FORMAL
  always @* no_overflow: assert (count <= 4);
`endif
endmodule
