// What every single fault costs a collective in chunks: `reschedule --table` with --bytes.
#pragma once

#include "sim/cli/command.hpp"

namespace nocturne::cli {

/// Is the table one of chunks? Throws std::invalid_argument for options of chunks without --bytes.
bool is_chunk_table(const OptionValues& given);

int reschedule_chunks(const OptionValues& given);
const ResultDescription& chunk_faults_result();

} // namespace nocturne::cli
