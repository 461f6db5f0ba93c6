// A router that follows a table: in each step every output is connected with one input, or with none. It has
// no buffer, and decides nothing. A flit is CYCLES later on the wire of its output.
module nocturne_scheduled_router #(
    parameter INPUTS = 2,
    parameter OUTPUTS = 2,
    parameter FLIT_BITS = 33,       // the highest one says that there is a flit
    parameter CYCLES = 1,           // registers on the way, 1 or more
    parameter STEPS = 1,
    parameter STEP_BITS = 1,
    parameter SELECT_BITS = 2,      // 0: nothing; n: input n - 1
    parameter TABLE = "router.hex"  // by step: for each output, output 0 in the lowest bits, the input
) (
    input logic clock,
    input logic reset,
    input logic [STEP_BITS-1:0] step,
    input logic [INPUTS*FLIT_BITS-1:0] in_flits,
    output logic [OUTPUTS*FLIT_BITS-1:0] out_flits
);
    logic [OUTPUTS*SELECT_BITS-1:0] connections [0:STEPS-1];
    initial $readmemh(TABLE, connections);

    logic [OUTPUTS*SELECT_BITS-1:0] selected;
    assign selected = connections[step];

    genvar output_port;
    generate
        for (output_port = 0; output_port < OUTPUTS; output_port = output_port + 1) begin : outputs
            logic [SELECT_BITS-1:0] source;
            assign source = selected[output_port*SELECT_BITS +: SELECT_BITS];

            logic [FLIT_BITS-1:0] chosen;
            always @* begin
                chosen = '0;
                for (int i = 0; i < INPUTS; i = i + 1)
                    if (source == SELECT_BITS'(i + 1))
                        chosen = chosen | in_flits[i*FLIT_BITS +: FLIT_BITS];
            end

            nocturne_delay #(.BITS(FLIT_BITS), .CYCLES(CYCLES)) pipeline (
                .clock(clock), .reset(reset), .in(chosen),
                .out(out_flits[output_port*FLIT_BITS +: FLIT_BITS]));
        end
    endgenerate
endmodule
