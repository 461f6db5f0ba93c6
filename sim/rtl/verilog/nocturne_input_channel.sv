// An input virtual channel of a router: its buffer, and the packet that it works on.
module nocturne_input_channel #(
    parameter integer DEPTH = 8,    // of the buffer, flits
    parameter FLIT_BITS = 34,       // {tail, route, data}
    parameter HEAD_WAIT = 1,        // cycles until a head that is first requests an output virtual channel
    parameter SWITCH_WAIT = 1,      // from the cycle in which it gets one to its request for the switch
    parameter ROUTE_AT = 32,        // place of the route in a flit
    parameter PORT_BITS = 1,        // of the route: output of this router, in the lowest bits,
    parameter CLASS_BITS = 0,       // and class of virtual channels
    parameter VC_BITS = 1
) (
    input logic clock,
    input logic reset,
    input logic write,
    input logic [FLIT_BITS-1:0] write_flit,
    output logic [FLIT_BITS-1:0] flit,        // the first one in the buffer
    output logic requests,                    // it is a head, and wants an output virtual channel,
    output logic [PORT_BITS+CLASS_BITS-1:0] wanted, // of that output and class
    input logic wins,                         // it gets one in this cycle:
    input logic [VC_BITS-1:0] won,
    output logic bids,                        // the flit has all but a credit and the switch
    output logic [PORT_BITS-1:0] port,        // if it bids: its output, and the virtual channel there
    output logic [VC_BITS-1:0] vc,
    input logic leaves                        // through the switch
);
    localparam POINTER_BITS = DEPTH > 1 ? $clog2(DEPTH) : 1;
    localparam COUNT_BITS = $clog2(DEPTH + 1);

    logic [FLIT_BITS-1:0] buffer [0:DEPTH-1];
    logic [POINTER_BITS-1:0] first, free_place;
    logic [COUNT_BITS-1:0] count;
    logic holds; // an output virtual channel
    logic [PORT_BITS-1:0] held_port;
    logic [VC_BITS-1:0] held_vc;
    logic is_there;
    logic is_decided; // a head that is first has waited long enough
    logic may_bid;    // and so has one that has got its output

    function automatic [POINTER_BITS-1:0] after(input [POINTER_BITS-1:0] pointer);
        after = pointer == POINTER_BITS'(DEPTH - 1) ? '0 : pointer + 1'b1;
    endfunction

    assign is_there = count != '0;
    assign flit = buffer[first];
    assign wanted = flit[ROUTE_AT +: PORT_BITS+CLASS_BITS];
    assign requests = is_there && !holds && is_decided;

    always_ff @(posedge clock)
        if (write)
            buffer[free_place] <= write_flit;

    always_ff @(posedge clock)
        if (reset) begin
            first <= '0;
            free_place <= '0;
            count <= '0;
        end else begin
            if (write)
                free_place <= after(free_place);
            if (leaves)
                first <= after(first);
            count <= count + COUNT_BITS'(write) - COUNT_BITS'(leaves);
        end

    always_ff @(posedge clock)
        if (reset)
            holds <= 1'b0;
        else
            holds <= (holds || wins) && !(leaves && flit[FLIT_BITS-1]);

    always_ff @(posedge clock)
        if (wins) begin
            held_port <= wanted[PORT_BITS-1:0];
            held_vc <= won;
        end

    generate
        if (HEAD_WAIT == 0) begin : at_once
            assign is_decided = 1'b1;
        end else begin : waits
            localparam WAIT_BITS = $clog2(HEAD_WAIT + 1);
            logic [WAIT_BITS-1:0] waited;
            assign is_decided = waited == WAIT_BITS'(HEAD_WAIT);
            always_ff @(posedge clock)
                if (reset || wins || holds)
                    waited <= '0;
                else if (is_there && !is_decided)
                    waited <= waited + 1'b1;
        end

        if (SWITCH_WAIT <= 1) begin : bids_next
            assign may_bid = 1'b1;
        end else begin : bids_later
            localparam WAIT_BITS = $clog2(SWITCH_WAIT);
            logic [WAIT_BITS-1:0] left;
            assign may_bid = left == '0;
            always_ff @(posedge clock)
                if (wins)
                    left <= WAIT_BITS'(SWITCH_WAIT - 1);
                else if (!may_bid)
                    left <= left - 1'b1;
        end

        if (SWITCH_WAIT == 0) begin : same_cycle
            assign bids = is_there && (holds || wins);
            assign port = holds ? held_port : wanted[PORT_BITS-1:0];
            assign vc = holds ? held_vc : won;
            logic unused;
            assign unused = &{1'b0, may_bid};
        end else begin : later
            assign bids = is_there && holds && may_bid;
            assign port = held_port;
            assign vc = held_vc;
        end
    endgenerate
endmodule
