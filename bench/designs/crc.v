// A checksum bit by bit; the message followed by its checksum gives zero.
module crc (input clk, input [3:0] message);
  reg [3:0] sum, step;
  reg [7:0] line;
  initial begin step = 0; sum = 0; end
`ifdef BUG
  wire [3:0] again = step == 3 ? 4'b0001 : 4'b0011;
`else
  wire [3:0] again = 4'b0011;
`endif
  wire in = line[7];
  wire [3:0] next = {sum[2:0], in} ^ (sum[3] ? again : 4'b0000);
  function [3:0] check(input [3:0] m);
    integer i; reg [7:0] v;
    begin
      v = {m, 4'b0};
      for (i = 7; i >= 4; i = i - 1) if (v[i]) v = v ^ (8'b10011 << (i - 4));
      check = v[3:0];
    end
  endfunction
  always @(posedge clk)
    if (step == 0) begin line <= {message, check(message)}; sum <= 0; step <= 1; end
    else if (step <= 8) begin sum <= next; line <= line << 1; step <= step + 1; end
    else step <= 0;
  always @* zero: assert (step != 9 || sum == 0);
endmodule
