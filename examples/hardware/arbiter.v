// Two clients share a bus. Whoever has it keeps it until it is done; then the other one may come first.
module arbiter (
    input  wire       clk,
    input  wire       rst,
    input  wire [1:0] req,
    input  wire [1:0] done,
    output reg  [1:0] grant
);
  reg  last;  // Who had the bus last.
  wire busy = |grant;
  wire over = |done;
  wire [1:0] first = last ? 2'b01 : 2'b10;
  wire [1:0] other = ~first;
  wire [1:0] pick  = (req & first) != 0 ? req & first : req & other;

  initial begin
    grant = 0;
    last  = 0;
  end

  always @(posedge clk) begin
    if (rst) begin
      grant <= 0;
      last  <= 0;
    end else if (!busy) begin
      grant <= pick;
    end else if (over) begin
      grant <= grant & ~done | pick;
      last  <= grant[1];
    end
  end

`ifdef FORMAL
  always @* one_at_a_time: assert (grant != 2'b11);
`endif
endmodule
