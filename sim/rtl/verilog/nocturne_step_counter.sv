// The place of a barrier: which step of the schedule it is, and which cycle of the step. All that happens in
// a step is known beforehand, so that the durations of the steps are a table, and nobody reports anything.
module nocturne_step_counter #(
    parameter STEPS = 1,
    parameter STEP_BITS = 1,
    parameter CYCLE_BITS = 1,
    parameter DURATIONS = "durations.hex" // by step: cycles
) (
    input logic clock,
    input logic reset,
    output logic [STEP_BITS-1:0] step,
    output logic [CYCLE_BITS-1:0] cycle,          // of the step, from 0
    output logic [STEP_BITS-1:0] arriving_step,   // that of the flits which arrive in this cycle
    output logic step_ends,                       // the last flits of arriving_step arrive in this cycle
    output logic done                             // from the cycle in which the last step has ended
);
    logic [CYCLE_BITS-1:0] durations [0:STEPS-1];
    initial $readmemh(DURATIONS, durations);

    logic [CYCLE_BITS-1:0] last_cycle;
    assign last_cycle = durations[step] - 1'b1;

    always_ff @(posedge clock)
        if (reset) begin
            step <= '0;
            cycle <= '0;
            arriving_step <= '0;
            step_ends <= 1'b0;
            done <= 1'b0;
        end else begin
            arriving_step <= step;
            step_ends <= 1'b0;
            if (!done) begin
                if (cycle != last_cycle) begin
                    cycle <= cycle + 1'b1;
                end else begin
                    cycle <= '0;
                    step_ends <= 1'b1;
                    if (step == STEP_BITS'(STEPS - 1))
                        done <= 1'b1;
                    else
                        step <= step + 1'b1;
                end
            end
        end
endmodule
