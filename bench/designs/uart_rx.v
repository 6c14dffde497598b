// Takes a start bit, four bits with the lowest first and a stop bit; a word without a stop bit is none.
module uart_rx (input clk, input rx, output reg valid, output reg [3:0] word);
  reg [2:0] state;
  reg [5:0] last;
  initial begin state = 0; valid = 0; last = 6'h3f; word = 0; end
  always @(posedge clk) begin
    last <= {rx, last[5:1]};
    valid <= 0;
    case (state)
      0: if (!rx) state <= 1;
      1, 2, 3, 4: begin word <= {rx, word[3:1]}; state <= state + 1; end
      default: begin
`ifdef BUG
        valid <= 1;
`else
        valid <= rx;
`endif
        state <= 0;
      end
    endcase
  end
  always @* framed: assert (!valid || (last[5] && !last[0] && word == last[4:1]));
endmodule
