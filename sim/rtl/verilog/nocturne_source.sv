// For the bench: a processor that sends the packets of a list, each when its time has come. The data of a
// flit are the number of its packet and its own number in that.
module nocturne_source #(
    parameter COUNT = 0,
    parameter DESTINATION_BITS = 1,
    parameter DATA_BITS = 32,
    parameter DELAY = 2,              // from the cycle in the list to that of the first flit
    parameter PACKETS = "packets.hex" // {cycle, 48 bits; number, 20; flits - 1, 12; destination}
) (
    input logic clock,
    input logic reset,
    input logic [63:0] cycle,
    output logic valid,
    output logic tail,
    output logic [DESTINATION_BITS-1:0] destination,
    output logic [DATA_BITS-1:0] data,
    input logic taken
);
    localparam BITS = 80 + DESTINATION_BITS;
    logic [BITS-1:0] packets [0:(COUNT == 0 ? 0 : COUNT - 1)];
    initial
        if (COUNT > 0)
            $readmemh(PACKETS, packets);

    logic [31:0] next;
    logic [11:0] sequence_number;
    logic [BITS-1:0] packet;
    assign packet = packets[next];
    assign valid = !reset && next != COUNT && cycle >= 64'(packet[DESTINATION_BITS+32 +: 48]) + DELAY;
    assign tail = sequence_number == packet[DESTINATION_BITS +: 12];
    assign destination = packet[DESTINATION_BITS-1:0];
    assign data = DATA_BITS'({packet[DESTINATION_BITS+12 +: 20], sequence_number});

    always_ff @(posedge clock)
        if (reset) begin
            next <= '0;
            sequence_number <= '0;
        end else if (taken) begin
            sequence_number <= tail ? '0 : sequence_number + 1'b1;
            if (tail)
                next <= next + 1'b1;
        end
endmodule
