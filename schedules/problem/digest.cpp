#include "schedules/problem/digest.hpp"

#include "models/text/fnv1a.hpp"
#include "models/topology/json_format.hpp"

#include <fmt/format.h>

namespace nocturne {

std::string digest(const Problem& problem)
{
    std::string text = describe(problem) + to_json(problem.topology);
    for (const Message& message : problem.collective.messages()) {
        text += fmt::format("|{}:", message.origin);
        for (const ProcessorId receiver : message.receivers)
            text += fmt::format("{},", receiver);
    }
    return fmt::format("{:016x}", fnv1a(text));
}

} // namespace nocturne
