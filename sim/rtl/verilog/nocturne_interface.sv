// The network interface of a processor: gives packets their route, and sends a flit in each cycle for which
// there is a credit. Each packet takes the next virtual channel in turn that has one. A packet to a destination
// that does not exist is taken, dropped, and reported.
module nocturne_interface #(
    parameter DESTINATIONS = 2,
    parameter DESTINATION_BITS = 1,
    parameter VCS = 1,
    parameter VC_BITS = 1,
    parameter ROUTE_BITS = 1,
    parameter DATA_BITS = 32,
    parameter DEPTH = 8,             // of each virtual channel's buffer at the router
    parameter ROUTES = "routes.hex"  // by destination
) (
    input logic clock,
    input logic reset,
    // A flit of the processor: it is held until it is taken.
    input logic valid,
    input logic tail,
    input logic [DESTINATION_BITS-1:0] destination, // with the first flit of a packet
    input logic [DATA_BITS-1:0] data,
    output logic taken,
    output logic refused, // a flit that is taken is dropped: its packet's destination does not exist
    // The injection link.
    output logic [VC_BITS+ROUTE_BITS+DATA_BITS+1:0] out_flit, // {valid, virtual channel, tail, route, data}
    input logic [VC_BITS:0] out_credit
);
    localparam BITS = $clog2(DEPTH + 1);

    logic [ROUTE_BITS-1:0] routes [0:DESTINATIONS-1];
    initial $readmemh(ROUTES, routes);

    logic [VCS-1:0] has_credit, candidates, chosen, last;
    logic in_packet; // its first flit has left
    logic [VC_BITS-1:0] vc;

    logic exists, drops, dropping, sends;
    generate
        if ((1 << DESTINATION_BITS) == DESTINATIONS) begin : all_exist
            assign exists = 1'b1;
        end else begin : some_exist
            assign exists = destination < DESTINATION_BITS'(DESTINATIONS);
        end
    endgenerate
    assign drops = in_packet ? dropping : !exists;
    assign candidates = in_packet ? has_credit & last : has_credit;
    assign sends = valid && !drops && candidates != '0;
    assign refused = valid && drops;
    assign taken = sends || refused;
    assign out_flit = {sends, vc, tail, in_packet || !exists ? '0 : routes[destination], data};

    always_ff @(posedge clock)
        if (taken)
            dropping <= drops;

    always_ff @(posedge clock)
        if (reset)
            in_packet <= 1'b0;
        else if (taken)
            in_packet <= !tail;

    integer k;
    always @* begin
        vc = '0;
        for (k = 0; k < VCS; k = k + 1)
            if (chosen[k])
                vc = vc | VC_BITS'(k);
    end

    nocturne_arbiter #(.SIZE(VCS)) turn (
        .clock(clock), .reset(reset), .requests(candidates), .grant(chosen), .serve(sends));

    always_ff @(posedge clock)
        if (sends)
            last <= chosen;

    genvar v;
    generate
        for (v = 0; v < VCS; v = v + 1) begin : channels
            logic [BITS-1:0] credits;
            assign has_credit[v] = credits != '0;
            always_ff @(posedge clock)
                if (reset)
                    credits <= BITS'(DEPTH);
                else
                    credits <= credits + BITS'(out_credit[VC_BITS] && out_credit[VC_BITS-1:0] == VC_BITS'(v))
                        - BITS'(sends && chosen[v]);
        end
    endgenerate
endmodule
