// Round-robin: grants one of the requests, the next in turn behind the last that was served. It begins with 0.
module nocturne_arbiter #(
    parameter SIZE = 2
) (
    input logic clock,
    input logic reset,
    input logic [SIZE-1:0] requests,
    output logic [SIZE-1:0] grant, // one of them; none if there is none
    input logic serve              // the grant of this cycle is taken: the turn passes on
);
    generate
        if (SIZE == 1) begin : alone
            assign grant = requests;
            logic unused;
            assign unused = &{1'b0, clock, reset, serve};
        end else begin : several
            localparam BITS = $clog2(SIZE);
            logic [BITS-1:0] last;
            logic [BITS-1:0] granted;
            logic [SIZE-1:0] behind;
            logic [SIZE-1:0] candidates;
            assign behind = requests & ({{(SIZE-1){1'b1}}, 1'b0} << last);
            assign candidates = behind != '0 ? behind : requests;
            assign grant = candidates & (~candidates + 1'b1);
            always @* begin
                granted = '0;
                for (int i = 0; i < SIZE; i = i + 1)
                    if (grant[i])
                        granted = granted | BITS'(i);
            end
            always_ff @(posedge clock)
                if (reset)
                    last <= BITS'(SIZE - 1);
                else if (serve)
                    last <= granted;
        end
    endgenerate
endmodule
