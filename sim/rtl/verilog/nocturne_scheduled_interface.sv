// The network interface of a processor in a scheduled network. Its DMA program has, for each step and port,
// what to send from where and what comes where to: nobody tells it, and flits carry nothing but payload.
module nocturne_scheduled_interface #(
    parameter SENDERS = 1,      // injection links
    parameter RECEIVERS = 1,    // ejection links
    parameter WORD_BITS = 32,   // of the memory: payload of a flit
    parameter ADDRESS_BITS = 1, // of a memory that is addressed by words
    parameter LENGTH_BITS = 1,
    parameter STEPS = 1,
    parameter STEP_BITS = 1,
    parameter CYCLE_BITS = 1,
    parameter LAUNCH = 2,       // cycle of a step in which its first flits are on their links, 2 or more
    // By step: for each port, port 0 in the lowest bits, {first word in the memory, flits}; 0 flits: nothing.
    parameter SEND = "send.hex",
    parameter RECEIVE = "receive.hex"
) (
    input logic clock,
    input logic reset,
    input logic [STEP_BITS-1:0] step,
    input logic [CYCLE_BITS-1:0] cycle,
    input logic [STEP_BITS-1:0] arriving_step,
    input logic step_ends,
    input logic done,
    // A memory that answers in the next cycle, and has a port for each link.
    output logic [SENDERS-1:0] read_enable,
    output logic [SENDERS*ADDRESS_BITS-1:0] read_address,
    input logic [SENDERS*WORD_BITS-1:0] read_data,
    output logic [RECEIVERS-1:0] write_enable,
    output logic [RECEIVERS*ADDRESS_BITS-1:0] write_address,
    output logic [RECEIVERS*WORD_BITS-1:0] write_data,
    // Links: the highest bit of a flit says that there is one.
    output logic [SENDERS*(WORD_BITS+1)-1:0] out_flits,
    input logic [RECEIVERS*(WORD_BITS+1)-1:0] in_flits,
    output logic error // since the reset, in some step something else has come than the program says
);
    localparam ENTRY_BITS = ADDRESS_BITS + LENGTH_BITS;
    localparam FLIT_BITS = WORD_BITS + 1;

    logic [SENDERS*ENTRY_BITS-1:0] sends [0:STEPS-1];
    logic [RECEIVERS*ENTRY_BITS-1:0] receives [0:STEPS-1];
    initial $readmemh(SEND, sends);
    initial $readmemh(RECEIVE, receives);

    logic [SENDERS*ENTRY_BITS-1:0] send_entries;
    logic [RECEIVERS*ENTRY_BITS-1:0] receive_entries;
    assign send_entries = sends[step];
    assign receive_entries = receives[arriving_step];

    logic [RECEIVERS-1:0] wrong;
    always_ff @(posedge clock)
        if (reset)
            error <= 1'b0;
        else if (wrong != '0)
            error <= 1'b1;

    genvar port;
    generate
        for (port = 0; port < SENDERS; port = port + 1) begin : senders
            logic [ENTRY_BITS-1:0] entry;
            logic [CYCLE_BITS-1:0] word; // of the message, once it is its turn
            logic sending;
            assign entry = send_entries[port*ENTRY_BITS +: ENTRY_BITS];
            assign word = cycle - CYCLE_BITS'(LAUNCH - 1);
            assign read_enable[port] = !done && cycle >= CYCLE_BITS'(LAUNCH - 1)
                && word < CYCLE_BITS'(entry[LENGTH_BITS-1:0]);
            assign read_address[port*ADDRESS_BITS +: ADDRESS_BITS]
                = entry[LENGTH_BITS +: ADDRESS_BITS] + ADDRESS_BITS'(word);
            always_ff @(posedge clock)
                sending <= read_enable[port] && !reset;
            assign out_flits[port*FLIT_BITS +: FLIT_BITS] = {sending, read_data[port*WORD_BITS +: WORD_BITS]};
        end
        for (port = 0; port < RECEIVERS; port = port + 1) begin : receivers
            logic [ENTRY_BITS-1:0] entry;
            logic [LENGTH_BITS-1:0] received; // flits of this step in earlier cycles
            logic [LENGTH_BITS-1:0] now;
            logic [FLIT_BITS-1:0] flit;
            assign entry = receive_entries[port*ENTRY_BITS +: ENTRY_BITS];
            assign flit = in_flits[port*FLIT_BITS +: FLIT_BITS];
            assign now = received + LENGTH_BITS'(flit[FLIT_BITS-1]);
            assign write_enable[port] = flit[FLIT_BITS-1];
            assign write_address[port*ADDRESS_BITS +: ADDRESS_BITS]
                = entry[LENGTH_BITS +: ADDRESS_BITS] + ADDRESS_BITS'(received);
            assign write_data[port*WORD_BITS +: WORD_BITS] = flit[WORD_BITS-1:0];
            assign wrong[port] = now > entry[LENGTH_BITS-1:0]
                || (step_ends && now != entry[LENGTH_BITS-1:0]);
            always_ff @(posedge clock)
                if (reset || step_ends)
                    received <= '0;
                else
                    received <= now;
        end
    endgenerate
endmodule
