// Sends bytes: a start bit, eight bits, a stop bit.
module uart_tx (input clk, input start, input [7:0] data, output tx, output busy);
  reg [9:0] shift;
  reg [3:0] left;
  initial begin shift = 10'h3ff; left = 0; end
  assign tx = shift[0];
  assign busy = left != 0;
  reg [3:0] before;
  initial before = 0;
  always @(posedge clk) begin
    before <= left;
`ifdef BUG
    if (start && left != 3) begin shift <= {1'b1, data, 1'b0}; left <= 10; end
`else
    if (start && !busy) begin shift <= {1'b1, data, 1'b0}; left <= 10; end
`endif
    else if (busy) begin shift <= {1'b1, shift[9:1]}; left <= left - 1; end
  end
  always @* to_the_end: assert (before == 0 || left + 1 == before);
endmodule
