// Multiplies by adding and shifting.
module multiplier (input clk, input start, input [3:0] x, input [3:0] y);
  reg [7:0] a, sum, right;
  reg [3:0] b;
  reg busy, done;
  initial begin busy = 0; done = 0; end
  always @(posedge clk) begin
    done <= 0;
    if (!busy) begin
      if (start) begin a <= x; b <= y; sum <= 0; busy <= 1; right <= x * y; end
    end else begin
      if (b[0]) sum <= sum + a;
      a <= a << 1;
      b <= b >> 1;
`ifdef BUG
      if (b[3:2] == 0) begin busy <= 0; done <= 1; end
`else
      if (b[3:1] == 0) begin busy <= 0; done <= 1; end
`endif
    end
  end
  always @* product: assert (!done || sum == right);
endmodule
