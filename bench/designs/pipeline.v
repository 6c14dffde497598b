// Three stages that compute 3x + 1; a stall stops all of them.
module pipeline (input clk, input stall, input [3:0] x, input enter);
  reg [3:0] x1, x2;
  reg [5:0] twice, result;
  reg v1, v2, v3;
  reg [3:0] k1, k2, k3;
  initial begin v1 = 0; v2 = 0; v3 = 0; end
  always @(posedge clk) if (!stall) begin
    v1 <= enter; v2 <= v1; v3 <= v2;
    k1 <= x; k2 <= k1; k3 <= k2;
    x1 <= x; x2 <= x1;
    result <= twice + x2 + 1;
  end
`ifdef BUG
  always @(posedge clk) twice <= {x1, 1'b0};
`else
  always @(posedge clk) if (!stall) twice <= {x1, 1'b0};
`endif
  always @* computed: assert (!v3 || result == 3 * k3 + 1);
endmodule
