#include "schedules/problem/digest.hpp"

#include "models/topology/json_format.hpp"

#include <fmt/format.h>

namespace nocturne {

std::uint64_t fnv1a(std::string_view text)
{
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return hash;
}

std::string digest(const Problem& problem)
{
    std::string text = describe(problem) + to_json(problem.topology);
    for (const Message& message : problem.collective.messages) {
        text += fmt::format("|{}:", message.origin);
        for (const ProcessorId receiver : message.receivers)
            text += fmt::format("{},", receiver);
    }
    return fmt::format("{:016x}", fnv1a(text));
}

} // namespace nocturne
