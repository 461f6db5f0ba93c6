// For the bench: each packet has to come once, whole, in order, and where it was sent to.
// Waived: flits of a cycle are counted one after the other.
// verilator lint_off BLKSEQ
// Waived: numbers of packets have 20 bits, the lists as many places as there are packets.
// verilator lint_off WIDTH
module nocturne_checker #(
    parameter PROCESSORS = 2,
    parameter PACKETS = 1,
    parameter VCS = 1,
    parameter VC_BITS = 1,
    parameter DATA_BITS = 32,
    parameter EXPECTED = "expected.hex" // by number of the packet: {destination, 20 bits; flits - 1, 12}
) (
    input logic clock,
    input logic reset,
    input logic [PROCESSORS*(VC_BITS+DATA_BITS+2)-1:0] flits, // {valid, virtual channel, tail, data}
    output logic [31:0] complete,                             // packets that have come
    output logic [31:0] wrong,                                // flits that should not have come
    output logic moves                                        // a flit comes in this cycle
);
    localparam FLIT_BITS = VC_BITS + DATA_BITS + 2;
    logic [31:0] expected [0:PACKETS-1];
    initial $readmemh(EXPECTED, expected);

    reg has_come [0:PACKETS-1];
    // By processor and virtual channel: the packet that is coming, and how much of it has come.
    reg [19:0] current [0:PROCESSORS*VCS-1];
    reg [12:0] received [0:PROCESSORS*VCS-1];

    // Counted with blocking assignments, and shown behind the edge: others read them at the next one.
    logic [31:0] came, bad;
    integer p, channel;
    reg [FLIT_BITS-1:0] flit;
    reg [19:0] number;
    reg is_right;
    always @(posedge clock) begin
        moves <= 1'b0;
        if (reset) begin
            came = 0;
            bad = 0;
            for (p = 0; p < PACKETS; p = p + 1)
                has_come[p] = 1'b0;
            for (channel = 0; channel < PROCESSORS * VCS; channel = channel + 1) begin
                received[channel] = '0;
                current[channel] = '0;
            end
        end else begin
            for (p = 0; p < PROCESSORS; p = p + 1) begin
                flit = flits[p*FLIT_BITS +: FLIT_BITS];
                if (flit[FLIT_BITS-1]) begin
                    moves <= 1'b1;
                    channel = p * VCS + 32'(flit[DATA_BITS+1 +: VC_BITS]);
                    number = flit[31:12];
                    if (received[channel] == 0)
                        current[channel] = number;
                    is_right = 32'(number) < PACKETS && number == current[channel]
                        && {1'b0, flit[11:0]} == received[channel]
                        && expected[number][31:12] == 20'(p) && !has_come[number]
                        && flit[DATA_BITS] == (flit[11:0] == expected[number][11:0]);
                    if (!is_right)
                        bad = bad + 1;
                    received[channel] = received[channel] + 1'b1;
                    if (flit[DATA_BITS]) begin
                        received[channel] = '0;
                        if (is_right) begin
                            has_come[number] = 1'b1;
                            came = came + 1;
                        end
                    end
                end
            end
        end
        complete <= came;
        wrong <= bad;
    end
endmodule
// verilator lint_on BLKSEQ
// verilator lint_on WIDTH
