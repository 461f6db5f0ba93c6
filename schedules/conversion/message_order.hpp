// Which deliveries a schedule in steps needs, what each does, and which comes before which.
#pragma once

#include "schedules/conversion/chunk_history.hpp"

#include <optional>
#include <vector>

namespace nocturne {

/// `after` is in no earlier step than `before`, or in a later one.
struct StepConstraint {
    std::uint32_t before; ///< delivery
    std::uint32_t after;  ///< delivery
    bool is_later;
};

struct MessageOrder {
    std::vector<std::optional<Operation>> operations; ///< by delivery; nothing: it is not needed
    std::vector<StepConstraint> constraints;          ///< between those that are
};

/// In steps a processor has one place for each message. What comes is put there when it is asked for: until
/// then the place keeps what it has, which others may still send. So scratch that holds what came until it is
/// added, or passed on, is not needed; what only doubles what is there is left out. Throws
/// std::invalid_argument, one line, if one place does not do.
MessageOrder message_order_of(const ChunkHistory& history, const Schedule& schedule,
                              const LinkNetwork& network);

} // namespace nocturne
