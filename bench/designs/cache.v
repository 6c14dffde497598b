// Two lines, by the lowest bit of the address, in front of a memory whose word is twice its address plus one.
module cache (input clk, input req, input flush, input [3:0] addr);
  reg [1:0] valid;
  reg [2:0] tag[0:1];
  reg [4:0] data[0:1];
  initial valid = 0;
  wire line = addr[0];
`ifdef BUG
  wire hit = req && valid[line] && tag[line][1:0] == addr[2:1];
`else
  wire hit = req && valid[line] && tag[line] == addr[3:1];
`endif
  always @(posedge clk)
    if (flush) valid <= 0;
    else if (req && !hit) begin
      valid[line] <= 1; tag[line] <= addr[3:1]; data[line] <= {addr, 1'b1};
    end
  wire [4:0] word = data[line];
  always @* right_word: assert (!hit || word == {addr, 1'b1});
endmodule
