// A memory with a write enable for each half. The watched place is any.
module memory_bytes (input clk, input [1:0] we, input [1:0] addr, input [7:0] data);
  (* anyconst *) reg [1:0] place;
  reg [7:0] mem[0:3];
  reg [7:0] shadow;
  reg known;
  initial known = 0;
  always @(posedge clk) begin
    if (we[0]) mem[addr][3:0] <= data[3:0];
`ifdef BUG
    if (we[1]) mem[{addr[1], addr[0] & ~(addr[1] & we[0])}][7:4] <= data[7:4];
`else
    if (we[1]) mem[addr][7:4] <= data[7:4];
`endif
    if (addr == place) begin
      if (we == 2'b11) known <= 1;
      if (we[0]) shadow[3:0] <= data[3:0];
      if (we[1]) shadow[7:4] <= data[7:4];
    end
  end
  always @* as_written: assert (!known || mem[place] == shadow);
endmodule
