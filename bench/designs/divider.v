// Divides bit by bit.
module divider (input clk, input start, input [3:0] n, input [3:0] d);
  reg [3:0] dividend, divisor, quotient;
  reg [4:0] rest;
  reg [3:0] kept;
  reg [2:0] left;
  reg done;
  initial begin left = 0; done = 0; end
  wire [4:0] next = {rest[3:0], dividend[3]};
`ifdef BUG
  wire fits = next > divisor;
`else
  wire fits = next >= divisor;
`endif
  always @(posedge clk) begin
    done <= 0;
    if (left == 0 && start && d != 0) begin
      dividend <= n; kept <= n; divisor <= d; rest <= 0; quotient <= 0; left <= 4;
    end else if (left != 0) begin
      rest <= fits ? next - divisor : next;
      quotient <= {quotient[2:0], fits};
      dividend <= dividend << 1;
      left <= left - 1;
      done <= left == 1;
    end
  end
  always @* divided: assert (!done || (rest < divisor && quotient * divisor + rest == kept));
endmodule
