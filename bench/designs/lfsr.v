// A register with feedback that never becomes zero; a seed may be loaded.
module lfsr (input clk, input load, input [7:0] seed, output reg [7:0] value);
  initial value = 8'h5a;
  wire feedback = value[7] ^ value[5] ^ value[4] ^ value[3];
  always @(posedge clk)
`ifdef BUG
    if (load && seed != 8'h00) value <= seed;
    else value <= {value[6:0], feedback & ~value[7] | feedback & value[0]};
`else
    if (load && seed != 8'h00) value <= seed;
    else value <= {value[6:0], feedback};
`endif
  always @* not_zero: assert (value != 0);
endmodule
