// The output follows the input once it was the same for four cycles.
module debounce (input clk, input in, output reg out);
  reg [1:0] same;
  reg [3:0] past;
  initial begin out = 0; same = 0; past = 0; end
  reg before;
  initial before = 0;
  always @(posedge clk) begin
    past <= {past[2:0], in};
    before <= out;
    if (in == out) same <= 0;
`ifdef BUG
    else if (same == 2) begin out <= in; same <= 0; end
`else
    else if (same == 3) begin out <= in; same <= 0; end
`endif
    else same <= same + 1;
  end
  always @* steady: assert (before == out || past == {4{out}});
endmodule
