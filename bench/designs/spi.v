// Shifts eight bits out while the select line is low.
module spi (input clk, input go, input [7:0] data, output reg cs, output mosi);
  reg [7:0] shift;
  reg [3:0] bits, sent;
  initial begin cs = 1; bits = 0; sent = 0; shift = 0; end
  assign mosi = shift[7];
  always @(posedge clk)
    if (cs) begin
      if (go) begin cs <= 0; shift <= data; bits <= 0; end
      sent <= 0;
    end else begin
      shift <= {shift[6:0], 1'b0};
      bits <= bits + 1;
      sent <= sent + 1;
`ifdef BUG
      if (bits == 8) cs <= 1;
`else
      if (bits == 7) cs <= 1;
`endif
    end
  always @* eight_bits: assert (sent <= 8);
endmodule
