// A wormhole router with virtual channels and credits. A head gets an output virtual channel, then each flit
// the switch; both by one iteration of iSLIP (McKeown 1999): outputs grant, inputs accept, in turn.
module nocturne_router #(
    parameter INPUTS = 2,
    parameter OUTPUTS = 2,
    parameter VCS = 1,           // virtual channels of each link
    parameter VC_BITS = 1,
    parameter PORT_BITS = 1,     // of a hop in a route: the output, in the lowest bits,
    parameter CLASS_BITS = 0,    // and the class of virtual channels
    parameter CLASSES = 1,
    parameter [CLASSES*VCS-1:0] CLASS_VCS = {(CLASSES*VCS){1'b1}}, // by class: which it may have
    parameter ROUTE_BITS = 1,    // hops, the next one in the lowest bits
    parameter DATA_BITS = 32,
    parameter COUNT_BITS = 8,    // of each number in the three lists that follow
    // By input: flits in the buffer of each virtual channel. By output: the same behind it; 0: what takes
    // everything.
    parameter [INPUTS*COUNT_BITS-1:0] DEPTHS = {INPUTS{8'd8}},
    parameter [OUTPUTS*COUNT_BITS-1:0] CREDITS = {OUTPUTS{8'd8}},
    parameter [OUTPUTS*COUNT_BITS-1:0] FLIT_CYCLES = {OUTPUTS{8'd1}}, // that a flit occupies the link
    parameter HEAD_WAIT = 1,     // see nocturne_input_channel
    parameter SWITCH_WAIT = 1,
    parameter SWITCH_CYCLES = 2  // from the grant of the switch to the wire
) (
    input logic clock,
    input logic reset,
    // Flits, {valid, virtual channel, tail, route, data}; credits for them, {valid, virtual channel}.
    input logic [INPUTS*(2+VC_BITS+ROUTE_BITS+DATA_BITS)-1:0] in_flits,
    output logic [INPUTS*(1+VC_BITS)-1:0] in_credits,
    output logic [OUTPUTS*(2+VC_BITS+ROUTE_BITS+DATA_BITS)-1:0] out_flits,
    input logic [OUTPUTS*(1+VC_BITS)-1:0] out_credits
);
    // verilator no_inline_module
    localparam STORED_BITS = 1 + ROUTE_BITS + DATA_BITS;
    localparam FLIT_BITS = 1 + VC_BITS + STORED_BITS;
    localparam CHOSEN_BITS = VC_BITS + STORED_BITS;
    localparam HOP_BITS = PORT_BITS + CLASS_BITS;
    localparam IN_VCS = INPUTS * VCS;
    localparam OUT_VCS = OUTPUTS * VCS;
    localparam INDEX_BITS = OUT_VCS > 1 ? $clog2(OUT_VCS) : 1;
    localparam HAS_ORDER = VCS > 1 && FLIT_CYCLES != {OUTPUTS{{{(COUNT_BITS-1){1'b0}}, 1'b1}}};

    // By input virtual channel.
    logic [IN_VCS-1:0] requests, bids, leaves, ready, gets_output;
    logic [IN_VCS-1:0] is_behind; // another one of the input waits longer for the same narrow link
    logic [IN_VCS*PORT_BITS-1:0] ports;
    logic [IN_VCS*STORED_BITS-1:0] fronts;
    logic [IN_VCS*VC_BITS-1:0] vcs; // at the output
    // By virtual channel, of whatever output, and by input virtual channel.
    logic [VCS*IN_VCS-1:0] allowed, offered, accepted;
    // By output and input virtual channel.
    logic [OUTPUTS*IN_VCS-1:0] wants, goes_to;
    // By output virtual channel.
    logic [OUT_VCS-1:0] is_free, is_given, is_released, has_credit;
    logic [OUT_VCS*IN_VCS-1:0] vc_grants; // and by input virtual channel
    // By output: its link takes a flit, and is narrower than one.
    logic [OUTPUTS-1:0] is_idle, is_narrow;
    // The switch, by output and input.
    logic [OUTPUTS*INPUTS-1:0] switch_grants, switch_accepts;
    logic [INPUTS*CHOSEN_BITS-1:0] chosen;  // by input: what leaves through the switch
    logic [OUTPUTS*FLIT_BITS-1:0] switched; // and by output

    always_ff @(posedge clock)
        if (reset)
            is_free <= '1;
        else
            is_free <= (is_free & ~is_given) | is_released;

    genvar i, o, n, v;
    generate
        for (n = 0; n < IN_VCS; n = n + 1) begin : channels
            localparam INPUT = n / VCS;
            logic [FLIT_BITS-1:0] arriving;
            logic [HOP_BITS-1:0] wanted;
            logic [PORT_BITS-1:0] port;
            logic [VCS-1:0] offers, accepts;
            logic [VC_BITS-1:0] vc, won;
            logic wins;
            assign arriving = in_flits[INPUT*FLIT_BITS +: FLIT_BITS];
            nocturne_input_channel #(
                .DEPTH(32'(DEPTHS[INPUT*COUNT_BITS +: COUNT_BITS])), .FLIT_BITS(STORED_BITS),
                .HEAD_WAIT(HEAD_WAIT), .SWITCH_WAIT(SWITCH_WAIT), .ROUTE_AT(DATA_BITS), .PORT_BITS(PORT_BITS),
                .CLASS_BITS(CLASS_BITS), .VC_BITS(VC_BITS)
            ) channel (
                .clock(clock), .reset(reset),
                .write(arriving[FLIT_BITS-1] && arriving[STORED_BITS +: VC_BITS] == VC_BITS'(n % VCS)),
                .write_flit(arriving[STORED_BITS-1:0]), .flit(fronts[n*STORED_BITS +: STORED_BITS]),
                .requests(requests[n]), .wanted(wanted), .wins(wins), .won(won), .bids(bids[n]),
                .port(port), .vc(vc), .leaves(leaves[n]));
            assign vcs[n*VC_BITS +: VC_BITS] = vc;
            assign ports[n*PORT_BITS +: PORT_BITS] = port;
            assign gets_output[n] = wins;
            assign ready[n] = bids[n] && has_credit[INDEX_BITS'(port) * INDEX_BITS'(VCS) + INDEX_BITS'(vc)];

            for (o = 0; o < OUTPUTS; o = o + 1) begin : decoded
                assign wants[o*IN_VCS+n] = requests[n] && wanted[PORT_BITS-1:0] == PORT_BITS'(o);
                assign goes_to[o*IN_VCS+n] = port == PORT_BITS'(o);
            end

            logic [VCS-1:0] of_class;
            if (CLASS_BITS == 0) begin : one_class
                assign of_class = CLASS_VCS[VCS-1:0];
            end else begin : several_classes
                assign of_class = CLASS_VCS[wanted[HOP_BITS-1:PORT_BITS]*VCS +: VCS];
            end
            for (v = 0; v < VCS; v = v + 1) begin : virtual_channels
                assign allowed[v*IN_VCS+n] = of_class[v];
                assign offers[v] = offered[v*IN_VCS+n];
                assign accepted[v*IN_VCS+n] = accepts[v];
            end

            assign wins = offers != '0;
            if (VCS == 1) begin : one_offer
                assign accepts = offers;
                assign won = '0;
            end else begin : several_offers
                // In turn over all output virtual channels: only those of the same output are behind the last
                // one, or before it.
                logic [PORT_BITS-1:0] last_port;
                logic [VC_BITS-1:0] last_vc;
                logic [VCS-1:0] behind, candidates;
                assign behind = offers & ({{(VCS-1){1'b1}}, 1'b0} << last_vc);
                assign candidates = behind != '0 && last_port == wanted[PORT_BITS-1:0] ? behind : offers;
                assign accepts = candidates & (~candidates + 1'b1);
                logic [VC_BITS-1:0] encoded;
                integer k;
                always @* begin
                    encoded = '0;
                    for (k = 0; k < VCS; k = k + 1)
                        if (accepts[k])
                            encoded = encoded | VC_BITS'(k);
                end
                assign won = encoded;
                always_ff @(posedge clock)
                    if (reset) begin
                        last_port <= PORT_BITS'(OUTPUTS - 1);
                        last_vc <= VC_BITS'(VCS - 1);
                    end else if (wins) begin
                        last_port <= wanted[PORT_BITS-1:0];
                        last_vc <= won;
                    end
            end
        end

        for (v = 0; v < VCS; v = v + 1) begin : virtual_channels
            // A head wants one output only: the grants of all outputs do not overlap.
            logic [IN_VCS-1:0] granted;
            integer k;
            always @* begin
                granted = '0;
                for (k = 0; k < OUTPUTS; k = k + 1)
                    granted = granted | vc_grants[(k*VCS+v)*IN_VCS +: IN_VCS];
            end
            assign offered[v*IN_VCS +: IN_VCS] = granted;
        end

        for (o = 0; o < OUTPUTS; o = o + 1) begin : outputs
            localparam integer DEPTH = 32'(CREDITS[o*COUNT_BITS +: COUNT_BITS]);
            logic [FLIT_BITS-1:0] leaving;
            logic [VC_BITS:0] returned;
            assign leaving = switched[o*FLIT_BITS +: FLIT_BITS];
            assign returned = out_credits[o*(1+VC_BITS) +: 1+VC_BITS];
            for (v = 0; v < VCS; v = v + 1) begin : virtual_channels
                localparam M = o * VCS + v;
                logic [IN_VCS-1:0] asking, granted;
                logic sends;
                assign asking = is_free[M] ? wants[o*IN_VCS +: IN_VCS] & allowed[v*IN_VCS +: IN_VCS] : '0;
                assign is_given[M] = (granted & accepted[v*IN_VCS +: IN_VCS]) != '0;
                nocturne_arbiter #(.SIZE(IN_VCS)) granting (
                    .clock(clock), .reset(reset), .requests(asking), .grant(granted), .serve(is_given[M]));
                assign vc_grants[M*IN_VCS +: IN_VCS] = granted;

                assign sends = leaving[FLIT_BITS-1] && leaving[STORED_BITS +: VC_BITS] == VC_BITS'(v);
                assign is_released[M] = sends && leaving[STORED_BITS-1];
                if (DEPTH == 0) begin : sink
                    assign has_credit[M] = 1'b1;
                    logic unused;
                    assign unused = &{1'b0, returned};
                end else begin : counted
                    localparam BITS = $clog2(DEPTH + 1);
                    logic [BITS-1:0] credits;
                    logic returns;
                    assign returns = returned[VC_BITS] && returned[VC_BITS-1:0] == VC_BITS'(v);
                    assign has_credit[M] = credits != '0;
                    always_ff @(posedge clock)
                        if (reset)
                            credits <= BITS'(DEPTH);
                        else
                            credits <= credits + BITS'(returns) - BITS'(sends);
                end
            end

            logic [IN_VCS-1:0] bidding;
            logic [INPUTS-1:0] asking, granted, taken;
            logic [CHOSEN_BITS-1:0] crossed;
            assign bidding = ready & goes_to[o*IN_VCS +: IN_VCS];
            localparam integer BUSY = 32'(FLIT_CYCLES[o*COUNT_BITS +: COUNT_BITS]);
            for (i = 0; i < INPUTS; i = i + 1) begin : from
                assign asking[i] = is_idle[o] && bidding[i*VCS +: VCS] != '0;
            end
            assign is_narrow[o] = BUSY > 1;
            if (BUSY <= 1) begin : wide
                assign is_idle[o] = 1'b1;
            end else begin : narrow
                localparam BITS = $clog2(BUSY);
                logic [BITS-1:0] left;
                assign is_idle[o] = left == '0;
                always_ff @(posedge clock)
                    if (reset)
                        left <= '0;
                    else if (leaving[FLIT_BITS-1])
                        left <= BITS'(BUSY - 1);
                    else if (!is_idle[o])
                        left <= left - 1'b1;
            end
            assign taken = switch_accepts[o*INPUTS +: INPUTS];
            nocturne_arbiter #(.SIZE(INPUTS)) granting (
                .clock(clock), .reset(reset), .requests(asking), .grant(granted), .serve(taken != '0));
            assign switch_grants[o*INPUTS +: INPUTS] = granted;

            integer k;
            always @* begin
                crossed = '0;
                for (k = 0; k < INPUTS; k = k + 1)
                    if (taken[k])
                        crossed = crossed | chosen[k*CHOSEN_BITS +: CHOSEN_BITS];
            end
            assign switched[o*FLIT_BITS +: FLIT_BITS] = {taken != '0, crossed};
            nocturne_delay #(.BITS(FLIT_BITS), .CYCLES(SWITCH_CYCLES)) traversal (
                .clock(clock), .reset(reset), .in(leaving), .out(out_flits[o*FLIT_BITS +: FLIT_BITS]));
        end

        if (!HAS_ORDER) begin : no_order
            assign is_behind = '0;
            logic unused;
            assign unused = &{1'b0, ports, gets_output, is_narrow};
        end else begin : order
            for (i = 0; i < INPUTS; i = i + 1) begin : input_order
                nocturne_order #(.VCS(VCS), .PORT_BITS(PORT_BITS), .OUTPUTS(OUTPUTS)) narrow_links (
                    .clock(clock), .reset(reset), .bids(bids[i*VCS +: VCS]), .ready(ready[i*VCS +: VCS]),
                    .gets_output(gets_output[i*VCS +: VCS]), .leaves(leaves[i*VCS +: VCS]),
                    .ports(ports[i*VCS*PORT_BITS +: VCS*PORT_BITS]), .is_idle(is_idle), .is_narrow(is_narrow),
                    .is_behind(is_behind[i*VCS +: VCS]));
            end
        end

        for (i = 0; i < INPUTS; i = i + 1) begin : inputs
            logic [OUTPUTS-1:0] offers, accepts;
            logic [VCS-1:0] candidates, winner;
            logic [CHOSEN_BITS-1:0] picked;
            logic [VC_BITS-1:0] picked_from;
            for (o = 0; o < OUTPUTS; o = o + 1) begin : to
                assign offers[o] = switch_grants[o*INPUTS+i];
                assign switch_accepts[o*INPUTS+i] = accepts[o];
            end
            if (VCS == 1) begin : one_offer
                assign accepts = offers;
            end else begin : several_offers
                nocturne_arbiter #(.SIZE(OUTPUTS)) accepting (
                    .clock(clock), .reset(reset), .requests(offers), .grant(accepts), .serve(offers != '0));
            end

            integer k;
            always @* begin
                candidates = '0;
                for (k = 0; k < OUTPUTS; k = k + 1)
                    if (accepts[k])
                        candidates = candidates
                            | (ready[i*VCS +: VCS] & ~is_behind[i*VCS +: VCS]
                                & goes_to[k*IN_VCS+i*VCS +: VCS]);
            end
            nocturne_arbiter #(.SIZE(VCS)) member (
                .clock(clock), .reset(reset), .requests(candidates), .grant(winner),
                .serve(candidates != '0));
            assign leaves[i*VCS +: VCS] = winner;

            integer l;
            always @* begin
                picked = '0;
                picked_from = '0;
                for (l = 0; l < VCS; l = l + 1)
                    if (winner[l]) begin
                        picked = picked | {vcs[(i*VCS+l)*VC_BITS +: VC_BITS],
                                           fronts[(i*VCS+l)*STORED_BITS +: STORED_BITS]};
                        picked_from = picked_from | VC_BITS'(l);
                    end
            end
            // The route without this router's hop.
            assign chosen[i*CHOSEN_BITS +: CHOSEN_BITS]
                = {picked[STORED_BITS-1 +: VC_BITS+1], picked[DATA_BITS +: ROUTE_BITS] >> HOP_BITS,
                   picked[DATA_BITS-1:0]};
            assign in_credits[i*(1+VC_BITS) +: 1+VC_BITS] = {candidates != '0, picked_from};
        end
    endgenerate
endmodule
