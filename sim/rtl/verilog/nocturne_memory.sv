// For the bench: the memory of a processor, which also knows what it has to hold in the end.
// Waived: the count of a comparison is complete when it returns.
// verilator lint_off BLKSEQ
module nocturne_memory #(
    parameter WORDS = 1,
    parameter WORD_BITS = 32,
    parameter ADDRESS_BITS = 1,
    parameter READERS = 1,
    parameter WRITERS = 1,
    parameter IMAGE = "memory.hex",
    parameter EXPECTED = "expected.hex"
) (
    input logic clock,
    input logic [READERS-1:0] read_enable,
    input logic [READERS*ADDRESS_BITS-1:0] read_address,
    output logic [READERS*WORD_BITS-1:0] read_data,
    input logic [WRITERS-1:0] write_enable,
    input logic [WRITERS*ADDRESS_BITS-1:0] write_address,
    input logic [WRITERS*WORD_BITS-1:0] write_data,
    output integer wrong_words
);
    localparam INDEX_BITS = WORDS > 1 ? $clog2(WORDS) : 1; // other processors may have more words

    logic [WORD_BITS-1:0] words [0:WORDS-1];
    logic [WORD_BITS-1:0] expected [0:WORDS-1];
    initial $readmemh(IMAGE, words);
    initial $readmemh(EXPECTED, expected);

    // Behind the last word nothing is read, or kept.
    integer i;
    always @(posedge clock) begin
        for (i = 0; i < READERS; i = i + 1)
            if (read_enable[i])
                read_data[i*WORD_BITS +: WORD_BITS]
                    <= 32'(read_address[i*ADDRESS_BITS +: ADDRESS_BITS]) < WORDS
                        ? words[INDEX_BITS'(read_address[i*ADDRESS_BITS +: ADDRESS_BITS])] : 'x;
        for (i = 0; i < WRITERS; i = i + 1)
            if (write_enable[i] && 32'(write_address[i*ADDRESS_BITS +: ADDRESS_BITS]) < WORDS)
                words[INDEX_BITS'(write_address[i*ADDRESS_BITS +: ADDRESS_BITS])]
                    <= write_data[i*WORD_BITS +: WORD_BITS];
    end

    // Counts what is not as it has to be in the end.
    task compare;
        integer word;
        begin
            wrong_words = 0;
            for (word = 0; word < WORDS; word = word + 1)
                if (words[word] !== expected[word])
                    wrong_words = wrong_words + 1;
        end
    endtask
endmodule
// verilator lint_on BLKSEQ
