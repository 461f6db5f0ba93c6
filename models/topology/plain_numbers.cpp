#include "models/topology/plain_numbers.hpp"

#include "models/text/number.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace nocturne {

std::optional<RouterId> PlainNumbers::find_router(std::string_view text)
{
    const auto found = topology_->find_router(text);
    if (found)
        note(text, *found, topology_->router_name(*found));
    return found;
}

std::optional<ProcessorId> PlainNumbers::find_processor(std::string_view text)
{
    const auto found = topology_->find_processor(text);
    if (found)
        note(text, *found, topology_->processor(*found).name);
    return found;
}

void PlainNumbers::note(std::string_view text, std::uint32_t found, std::string_view name)
{
    const auto number = number_of<std::uint32_t>(text);
    if (!number)
        return;
    if (name != text)
        index_ = text;
    else if (*number != found || text != std::to_string(found))
        name_ = text;
    if (!name_.empty() && !index_.empty())
        throw std::invalid_argument(
            fmt::format("{}: {} has '{}', but nothing named '{}': plain numbers here are all names or all "
                        "indices; write the index as #{}",
                        what_, topology_->name(), name_, index_, index_));
}

} // namespace nocturne
