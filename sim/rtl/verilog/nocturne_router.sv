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
    parameter [CLASSES*VCS-1:0] CLASS_VCS = {(CLASSES*VCS){1'b1}}, // by class: which virtual channels it may have
    parameter ROUTE_BITS = 1,    // hops, the next one in the lowest bits
    parameter DATA_BITS = 32,
    parameter COUNT_BITS = 8,    // of each number in the two lists that follow
    parameter [INPUTS*COUNT_BITS-1:0] DEPTHS = {INPUTS{8'd8}},   // by input: buffer of each virtual channel, flits
    parameter [OUTPUTS*COUNT_BITS-1:0] CREDITS = {OUTPUTS{8'd8}}, // by output: the same behind it; 0: what takes everything
    parameter HEAD_WAIT = 1,     // see nocturne_input_channel
    parameter SWITCH_WAIT = 1,
    parameter SWITCH_CYCLES = 2, // from the grant of the switch to the wire
    parameter FIRST_VC_TURN = 0  // input virtual channel that counts as served last when all begins
) (
    input logic clock,
    input logic reset,
    // Flits, {valid, virtual channel, tail, route, data}; credits for them, {valid, virtual channel}.
    input logic [INPUTS*(2+VC_BITS+ROUTE_BITS+DATA_BITS)-1:0] in_flits,
    output logic [INPUTS*(1+VC_BITS)-1:0] in_credits,
    output logic [OUTPUTS*(2+VC_BITS+ROUTE_BITS+DATA_BITS)-1:0] out_flits,
    input logic [OUTPUTS*(1+VC_BITS)-1:0] out_credits
);
    localparam STORED_BITS = 1 + ROUTE_BITS + DATA_BITS;
    localparam FLIT_BITS = 1 + VC_BITS + STORED_BITS;
    localparam HOP_BITS = PORT_BITS + CLASS_BITS;
    localparam IN_VCS = INPUTS * VCS;
    localparam OUT_VCS = OUTPUTS * VCS;

    // By input virtual channel.
    logic [IN_VCS-1:0] requests, wins, bids, leaves;
    logic [IN_VCS*STORED_BITS-1:0] fronts;
    logic [IN_VCS*OUTPUTS-1:0] wanted_ports, ports; // one bit for each output
    logic [IN_VCS*VCS-1:0] wanted_vcs;              // one bit for each virtual channel of the output
    logic [IN_VCS*VC_BITS-1:0] won, vcs;
    // By output virtual channel.
    logic [OUT_VCS-1:0] is_free, is_given, is_released, has_credit;

    // Virtual channels: [output virtual channel][input virtual channel], and the other way round.
    logic [OUT_VCS*IN_VCS-1:0] vc_requests, vc_grants;
    logic [IN_VCS*OUT_VCS-1:0] vc_offers, vc_accepts;
    // The switch: [output][input], and the other way round.
    logic [OUTPUTS*INPUTS-1:0] switch_requests, switch_grants;
    logic [INPUTS*OUTPUTS-1:0] switch_offers, switch_accepts;
    logic [INPUTS*(VC_BITS+STORED_BITS)-1:0] chosen; // by input: what leaves through the switch
    logic [OUTPUTS*FLIT_BITS-1:0] switched;          // and by output

    always_ff @(posedge clock)
        if (reset)
            is_free <= '1;
        else
            is_free <= (is_free & ~is_given) | is_released;

    genvar i, o, n, m;
    generate
        for (n = 0; n < IN_VCS; n = n + 1) begin : channels
            localparam INPUT = n / VCS;
            logic [FLIT_BITS-1:0] arriving;
            logic [HOP_BITS-1:0] wanted;
            logic [PORT_BITS-1:0] port;
            logic [VC_BITS-1:0] won_vc;
            assign arriving = in_flits[INPUT*FLIT_BITS +: FLIT_BITS];
            nocturne_input_channel #(
                .DEPTH(32'(DEPTHS[INPUT*COUNT_BITS +: COUNT_BITS])), .FLIT_BITS(STORED_BITS), .HEAD_WAIT(HEAD_WAIT),
                .SWITCH_WAIT(SWITCH_WAIT), .ROUTE_AT(DATA_BITS), .PORT_BITS(PORT_BITS), .CLASS_BITS(CLASS_BITS),
                .VC_BITS(VC_BITS)
            ) channel (
                .clock(clock), .reset(reset),
                .write(arriving[FLIT_BITS-1] && arriving[STORED_BITS +: VC_BITS] == VC_BITS'(n % VCS)),
                .write_flit(arriving[STORED_BITS-1:0]), .flit(fronts[n*STORED_BITS +: STORED_BITS]),
                .requests(requests[n]), .wanted(wanted), .wins(wins[n]), .won(won_vc), .bids(bids[n]),
                .port(port), .vc(vcs[n*VC_BITS +: VC_BITS]), .leaves(leaves[n]));
            assign won_vc = won[n*VC_BITS +: VC_BITS];

            for (o = 0; o < OUTPUTS; o = o + 1) begin : decoded
                assign wanted_ports[n*OUTPUTS+o] = wanted[PORT_BITS-1:0] == PORT_BITS'(o);
                assign ports[n*OUTPUTS+o] = port == PORT_BITS'(o);
            end
            if (CLASS_BITS == 0) begin : one_class
                assign wanted_vcs[n*VCS +: VCS] = CLASS_VCS[VCS-1:0];
            end else begin : several_classes
                assign wanted_vcs[n*VCS +: VCS] = CLASS_VCS[wanted[HOP_BITS-1:PORT_BITS]*VCS +: VCS];
            end

            for (m = 0; m < OUT_VCS; m = m + 1) begin : outputs
                assign vc_requests[m*IN_VCS+n] = requests[n] && wanted_ports[n*OUTPUTS+m/VCS]
                    && wanted_vcs[n*VCS+m%VCS] && is_free[m];
                assign vc_offers[n*OUT_VCS+m] = vc_grants[m*IN_VCS+n];
            end
            assign wins[n] = vc_accepts[n*OUT_VCS +: OUT_VCS] != '0;
            if (VCS == 1) begin : one_offer
                assign vc_accepts[n*OUT_VCS +: OUT_VCS] = vc_offers[n*OUT_VCS +: OUT_VCS];
                assign won[n*VC_BITS +: VC_BITS] = '0;
            end else begin : several_offers
                nocturne_arbiter #(.SIZE(OUT_VCS)) accepting (
                    .clock(clock), .reset(reset), .requests(vc_offers[n*OUT_VCS +: OUT_VCS]),
                    .grant(vc_accepts[n*OUT_VCS +: OUT_VCS]), .serve(wins[n]));
                logic [VC_BITS-1:0] encoded;
                integer k;
                always @* begin
                    encoded = '0;
                    for (k = 0; k < OUT_VCS; k = k + 1)
                        if (vc_accepts[n*OUT_VCS+k])
                            encoded = encoded | VC_BITS'(k % VCS);
                end
                assign won[n*VC_BITS +: VC_BITS] = encoded;
            end
        end

        for (m = 0; m < OUT_VCS; m = m + 1) begin : output_channels
            localparam OUTPUT = m / VCS;
            logic [IN_VCS-1:0] accepted;
            for (n = 0; n < IN_VCS; n = n + 1) begin : from
                assign accepted[n] = vc_accepts[n*OUT_VCS+m];
            end
            assign is_given[m] = accepted != '0;
            nocturne_arbiter #(.SIZE(IN_VCS), .FIRST(FIRST_VC_TURN)) granting (
                .clock(clock), .reset(reset), .requests(vc_requests[m*IN_VCS +: IN_VCS]),
                .grant(vc_grants[m*IN_VCS +: IN_VCS]), .serve(is_given[m]));

            logic sends;
            logic [VC_BITS+STORED_BITS:0] leaving;
            assign leaving = switched[OUTPUT*(1+VC_BITS+STORED_BITS) +: 1+VC_BITS+STORED_BITS];
            assign sends = leaving[VC_BITS+STORED_BITS]
                && leaving[STORED_BITS +: VC_BITS] == VC_BITS'(m % VCS);
            assign is_released[m] = sends && leaving[STORED_BITS-1];
            localparam integer DEPTH = 32'(CREDITS[OUTPUT*COUNT_BITS +: COUNT_BITS]);
            if (DEPTH == 0) begin : sink
                assign has_credit[m] = 1'b1;
                logic unused;
                assign unused = &{1'b0, out_credits[OUTPUT*(1+VC_BITS) +: 1+VC_BITS]};
            end else begin : counted
                localparam BITS = $clog2(DEPTH + 1);
                logic [BITS-1:0] credits;
                logic returned;
                assign returned = out_credits[OUTPUT*(1+VC_BITS)+VC_BITS]
                    && out_credits[OUTPUT*(1+VC_BITS) +: VC_BITS] == VC_BITS'(m % VCS);
                assign has_credit[m] = credits != '0;
                always_ff @(posedge clock)
                    if (reset)
                        credits <= BITS'(DEPTH);
                    else
                        credits <= credits + BITS'(returned) - BITS'(sends);
            end
        end

        for (i = 0; i < INPUTS; i = i + 1) begin : inputs
            logic [VCS-1:0] ready, candidates;
            for (n = 0; n < VCS; n = n + 1) begin : of_channel
                localparam CHANNEL = i * VCS + n;
                logic [OUT_VCS-1:0] with_credit;
                for (m = 0; m < OUT_VCS; m = m + 1) begin : credit
                    assign with_credit[m] = has_credit[m] && ports[CHANNEL*OUTPUTS+m/VCS]
                        && vcs[CHANNEL*VC_BITS +: VC_BITS] == VC_BITS'(m % VCS);
                end
                assign ready[n] = bids[CHANNEL] && with_credit != '0;
                assign candidates[n] = ready[n]
                    && (ports[CHANNEL*OUTPUTS +: OUTPUTS] & switch_accepts[i*OUTPUTS +: OUTPUTS]) != '0;
            end
            for (o = 0; o < OUTPUTS; o = o + 1) begin : to
                logic [VCS-1:0] wanting;
                for (n = 0; n < VCS; n = n + 1) begin : of_channel
                    assign wanting[n] = ready[n] && ports[(i*VCS+n)*OUTPUTS+o];
                end
                assign switch_requests[o*INPUTS+i] = wanting != '0;
                assign switch_offers[i*OUTPUTS+o] = switch_grants[o*INPUTS+i];
            end
            if (VCS == 1) begin : one_offer
                assign switch_accepts[i*OUTPUTS +: OUTPUTS] = switch_offers[i*OUTPUTS +: OUTPUTS];
            end else begin : several_offers
                nocturne_arbiter #(.SIZE(OUTPUTS)) accepting (
                    .clock(clock), .reset(reset), .requests(switch_offers[i*OUTPUTS +: OUTPUTS]),
                    .grant(switch_accepts[i*OUTPUTS +: OUTPUTS]),
                    .serve(switch_accepts[i*OUTPUTS +: OUTPUTS] != '0));
            end
            nocturne_arbiter #(.SIZE(VCS)) member (
                .clock(clock), .reset(reset), .requests(candidates), .grant(leaves[i*VCS +: VCS]),
                .serve(candidates != '0));

            logic [VC_BITS+STORED_BITS-1:0] picked;
            logic [VC_BITS-1:0] picked_from;
            integer k;
            always @* begin
                picked = '0;
                picked_from = '0;
                for (k = 0; k < VCS; k = k + 1)
                    if (leaves[i*VCS+k]) begin
                        picked = picked | {vcs[(i*VCS+k)*VC_BITS +: VC_BITS],
                                           fronts[(i*VCS+k)*STORED_BITS +: STORED_BITS]};
                        picked_from = picked_from | VC_BITS'(k);
                    end
            end
            // The route without this router's hop.
            assign chosen[i*(VC_BITS+STORED_BITS) +: VC_BITS+STORED_BITS]
                = {picked[STORED_BITS-1 +: VC_BITS+1], picked[DATA_BITS +: ROUTE_BITS] >> HOP_BITS,
                   picked[DATA_BITS-1:0]};
            assign in_credits[i*(1+VC_BITS) +: 1+VC_BITS] = {candidates != '0, picked_from};
        end

        for (o = 0; o < OUTPUTS; o = o + 1) begin : outputs
            logic [INPUTS-1:0] accepted;
            for (i = 0; i < INPUTS; i = i + 1) begin : from
                assign accepted[i] = switch_accepts[i*OUTPUTS+o];
            end
            nocturne_arbiter #(.SIZE(INPUTS)) granting (
                .clock(clock), .reset(reset), .requests(switch_requests[o*INPUTS +: INPUTS]),
                .grant(switch_grants[o*INPUTS +: INPUTS]), .serve(accepted != '0));

            logic [VC_BITS+STORED_BITS-1:0] crossed;
            integer k;
            always @* begin
                crossed = '0;
                for (k = 0; k < INPUTS; k = k + 1)
                    if (accepted[k])
                        crossed = crossed | chosen[k*(VC_BITS+STORED_BITS) +: VC_BITS+STORED_BITS];
            end
            assign switched[o*FLIT_BITS +: FLIT_BITS] = {accepted != '0, crossed};
            nocturne_delay #(.BITS(FLIT_BITS), .CYCLES(SWITCH_CYCLES)) traversal (
                .clock(clock), .reset(reset), .in(switched[o*FLIT_BITS +: FLIT_BITS]),
                .out(out_flits[o*FLIT_BITS +: FLIT_BITS]));
        end
    endgenerate
endmodule
