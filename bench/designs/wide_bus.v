// A bus of 512 bits with a parity bit for each word of 64.
module wide_bus (input clk, input load, input [511:0] in, input [2:0] word);
  reg [511:0] bus;
  reg [7:0] parity;
  initial begin bus = 0; parity = 0; end
  integer i;
  always @(posedge clk) if (load) begin
    bus <= in;
    for (i = 0; i < 8; i = i + 1)
`ifdef BUG
      parity[i] <= ^in[64*i +: 63];
`else
      parity[i] <= ^in[64*i +: 64];
`endif
  end
  wire [63:0] one = bus[64*word +: 64];
  always @* even: assert (^one == parity[word]);
endmodule
