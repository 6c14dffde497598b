// Two cells behind each other; a word goes from one to the next.
module cell2 (input clk, input put, input get, input [2:0] in, output [2:0] out, output full);
  reg has;
  reg [2:0] word;
  initial has = 0;
  assign out = word;
  assign full = has;
  always @(posedge clk) begin
    if (put) begin has <= 1; word <= in; end
`ifdef BUG
    if (get) has <= 0;
`else
    else if (get) has <= 0;
`endif
  end
endmodule
module queue_instances (input clk, input put, input get, input [2:0] in);
  wire full0, full1;
  wire [2:0] out0, out1;
  wire moves = full0 && (!full1 || get);
  wire enters = put && (!full0 || moves);
  wire leaves = get && full1;
  cell2 a (.clk(clk), .put(enters), .get(moves), .in(in), .out(out0), .full(full0));
  cell2 b (.clk(clk), .put(moves), .get(leaves), .in(out0), .out(out1), .full(full1));
  reg [1:0] inside;
  initial inside = 0;
  always @(posedge clk) inside <= inside + enters - leaves;
  always @* counted: assert (inside == full0 + full1);
endmodule
