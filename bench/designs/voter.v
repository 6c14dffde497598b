// Three copies and a vote: one that is disturbed does no harm.
module voter (input clk, input in, input [1:0] hit);
  reg [2:0] copy;
  reg right;
  initial begin copy = 0; right = 0; end
  wire vote = copy[0] & copy[1] | copy[1] & copy[2] | copy[0] & copy[2];
  wire flip = hit != 3;
  always @(posedge clk) begin
    right <= in ^ right;
`ifdef BUG
    copy <= {copy[2] ^ in, {2{vote ^ in}}} ^ (flip ? 3'b001 << hit : 3'b000);
`else
    copy <= {3{vote ^ in}} ^ (flip ? 3'b001 << hit : 3'b000);
`endif
  end
  always @* outvoted: assert (vote == right);
endmodule
