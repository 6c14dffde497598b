// Registers whose value is forwarded while it is being written.
module registers (input clk, input we, input [1:0] wa, input [1:0] ra, input [3:0] in);
  (* anyconst *) reg [1:0] watched;
  reg [3:0] file[0:3];
  reg pending;
  reg [1:0] pa;
  reg [3:0] value, model;
  reg known;
  initial begin pending = 0; known = 0; end
  always @(posedge clk) begin
    pending <= we; pa <= wa; value <= in;
    if (pending) file[pa] <= value;
    if (we && wa == watched) begin model <= in; known <= 1; end
  end
`ifdef BUG
  wire [3:0] out = pending && pa == ra && ra != 2 ? value : file[ra];
`else
  wire [3:0] out = pending && pa == ra ? value : file[ra];
`endif
  always @* last_written: assert (!known || ra != watched || out == model);
endmodule
