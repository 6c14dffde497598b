// A queue of two: what goes in third after a mark comes out as it went in. The watched entry is any.
module fifo_order (input clk, input push, input pop, input mark, input [3:0] din);
  reg [3:0] first, second;
  reg [1:0] count;
  initial count = 0;
  wire do_push = push && count != 2;
  wire do_pop = pop && count != 0;
  always @(posedge clk) begin
    count <= count + do_push - do_pop;
    case ({do_push, do_pop})
      2'b10: if (count == 0) first <= din; else second <= din;
      2'b01: first <= second;
`ifdef BUG
      2'b11: begin first <= second; second <= din; end
`else
      2'b11: if (count == 1) first <= din; else begin first <= second; second <= din; end
`endif
      default: ;
    endcase
  end
  // Where the watched entry is: 0 nowhere, else its place from the head.
  reg [1:0] place;
  reg [3:0] value;
  initial place = 0;
  always @(posedge clk)
    if (place == 0) begin
      if (mark && do_push) begin place <= count + 1 - do_pop; value <= din; end
    end else if (do_pop) place <= place - 1;
  always @* in_order: assert (place != 1 || first == value);
endmodule
