// Sees starts, stops and bits on two lines, and counts the bits of a byte with its acknowledge.
module i2c (input clk, input scl, input sda, output reg active, output reg [3:0] bits);
  reg scl1, sda1;
  initial begin scl1 = 1; sda1 = 1; active = 0; bits = 0; end
  wire start = scl && scl1 && sda1 && !sda;
  wire stop = scl && scl1 && !sda1 && sda;
  wire edge_up = scl && !scl1;
  always @(posedge clk) begin
    scl1 <= scl; sda1 <= sda;
    if (start) begin active <= 1; bits <= 0; end
`ifdef BUG
    else if (stop) active <= 0;
    else if (edge_up) bits <= bits == 9 && active ? 1 : bits + 1;
`else
    else if (stop) begin active <= 0; bits <= 0; end
    else if (active && edge_up) bits <= bits == 9 ? 1 : bits + 1;
`endif
  end
  always @* nine: assert (bits <= 9);
endmodule
