// A chain of registers. Only the highest bit, which says whether the others mean anything, is reset.
module nocturne_delay #(
    parameter BITS = 2,
    parameter CYCLES = 1 // 0: a wire
) (
    input logic clock,
    input logic reset,
    input logic [BITS-1:0] in,
    output logic [BITS-1:0] out
);
    generate
        if (CYCLES == 0) begin : wire_only
            assign out = in;
            logic unused;
            assign unused = &{1'b0, clock, reset};
        end else begin : chain
            logic [CYCLES*BITS-1:0] stages;
            assign out = stages[CYCLES*BITS-1 -: BITS];
            integer stage;
            always_ff @(posedge clock) begin
                stages[BITS-1:0] <= in;
                for (stage = 1; stage < CYCLES; stage = stage + 1)
                    stages[stage*BITS +: BITS] <= stages[(stage-1)*BITS +: BITS];
                if (reset)
                    for (stage = 0; stage < CYCLES; stage = stage + 1)
                        stages[stage*BITS+BITS-1] <= 1'b0;
            end
        end
    endgenerate
endmodule
