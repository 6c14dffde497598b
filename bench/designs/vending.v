// Coins of 1 and 2; something for 3; what is too much comes back.
module vending (input clk, input one, input two, input refund, output reg [2:0] credit, output reg sold);
  reg [5:0] taken, given;
  initial begin credit = 0; sold = 0; taken = 0; given = 0; end
  wire [2:0] coin = two ? 2 : one ? 1 : 0;
  wire [2:0] total = credit + coin;
  always @(posedge clk) begin
    sold <= 0;
    taken <= taken + coin;
    if (refund) begin
`ifdef BUG
      credit <= coin; given <= given + total;
`else
      credit <= 0; given <= given + total;
`endif
    end else if (total >= 3) begin sold <= 1; credit <= total - 3; given <= given + 3; end
    else credit <= total;
  end
  always @* balanced: assert (taken == given + credit);
endmodule
