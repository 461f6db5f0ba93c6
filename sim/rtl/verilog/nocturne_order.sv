// Which virtual channels of a router's input wait behind another one: of those for the same link, narrower
// than a flit, the one that waits longest goes first, of equal ones the first.
module nocturne_order #(
    parameter VCS = 2,
    parameter PORT_BITS = 1,
    parameter OUTPUTS = 2
) (
    input logic clock,
    input logic reset,
    // By virtual channel.
    input logic [VCS-1:0] bids,        // its first flit has all but a credit and the switch,
    input logic [VCS-1:0] ready,       // and a credit
    input logic [VCS-1:0] gets_output, // in this cycle
    input logic [VCS-1:0] leaves,      // its first flit, through the switch
    input logic [VCS*PORT_BITS-1:0] ports, // if it bids: its output
    // By output.
    input logic [OUTPUTS-1:0] is_idle,
    input logic [OUTPUTS-1:0] is_narrow,
    output logic [VCS-1:0] is_behind
);
    localparam INDEX_BITS = OUTPUTS > 1 ? $clog2(OUTPUTS) : 1; // other routers may have more outputs

    // A head waits from its first bid on, a flit behind it from when the link is idle.
    logic [VCS-1:0] is_head, waited, waits;
    logic [VCS*VCS-1:0] behind, was_behind; // by virtual channel and the one that has waited longer

    genvar a, b;
    generate
        for (a = 0; a < VCS; a = a + 1) begin : channels
            logic [PORT_BITS-1:0] port;
            logic [INDEX_BITS-1:0] index;
            logic [VCS-1:0] others;
            assign port = ports[a*PORT_BITS +: PORT_BITS];
            assign index = INDEX_BITS'(port);
            assign waits[a] = waited[a] || (bids[a] && (is_head[a] || gets_output[a] || is_idle[index]));
            assign is_behind[a] = others != '0;
            always_ff @(posedge clock)
                if (reset) begin
                    is_head[a] <= 1'b0;
                    waited[a] <= 1'b0;
                end else begin
                    is_head[a] <= (is_head[a] || gets_output[a]) && !leaves[a];
                    waited[a] <= waits[a] && !leaves[a];
                end
            for (b = 0; b < VCS; b = b + 1) begin : pairs
                localparam FIRST = b < a;
                assign behind[a*VCS+b] = waited[a] ? waited[b] && was_behind[a*VCS+b] : waited[b] || FIRST;
                assign others[b] = a != b && ready[b] && waits[b] && ports[b*PORT_BITS +: PORT_BITS] == port
                    && is_narrow[index] && behind[a*VCS+b];
                always_ff @(posedge clock)
                    was_behind[a*VCS+b] <= behind[a*VCS+b];
            end
        end
    endgenerate
endmodule
