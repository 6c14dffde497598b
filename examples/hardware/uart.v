// Sends bytes: a start bit, eight data bits with the lowest first, a stop bit; each takes four cycles.
module uart (
    input  wire       clk,
    input  wire       rst,
    input  wire       start,
    input  wire [7:0] data,
    output wire       tx,
    output wire       busy
);
  reg [9:0] shift;
  reg [3:0] left;
  reg [1:0] tick;

  wire last_tick = tick == 3;
  assign tx   = shift[0];
  assign busy = left != 0;

  initial begin
    shift = 10'h3ff;
    left  = 0;
    tick  = 0;
  end

  always @(posedge clk) begin
    if (rst) begin
      shift <= 10'h3ff;
      left  <= 0;
      tick  <= 0;
    end else if (start) begin
      shift <= {1'b1, data, 1'b0};
      left  <= 10;
      tick  <= 0;
    end else if (busy) begin
      tick <= tick + 1;
      if (last_tick) begin
        shift <= {1'b1, shift[9:1]};
        left  <= left - 1;
      end
    end
  end

`ifdef FORMAL
  // What is being sent is not lost: the count of bits goes down one at a time.
  reg [3:0] before;
  reg was_busy;
  initial was_busy = 0;
  always @(posedge clk) begin
    before   <= left;
    was_busy <= busy && !rst;
  end
  always @* one_by_one: assert (!was_busy || left == before || left + 1 == before);
`endif
endmodule
