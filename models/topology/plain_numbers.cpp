#include "models/topology/plain_numbers.hpp"

#include "models/text/json_text.hpp"
#include "models/text/number.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <stdexcept>

namespace nocturne {
namespace {

std::uint32_t vertex_of(std::optional<std::uint32_t> found, const Topology& topology, std::string_view what,
                        const nlohmann::json& json)
{
    if (!found)
        throw std::invalid_argument(fmt::format("{} has no {} {}", topology.name(), what, json_text(json)));
    return *found;
}

} // namespace

std::optional<std::uint32_t> index_in(const nlohmann::json& json, std::uint64_t limit)
{
    if (!json.is_number_unsigned() || json.get<std::uint64_t>() >= limit)
        return std::nullopt;
    return json.get<std::uint32_t>();
}

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

RouterId PlainNumbers::router_in(const nlohmann::json& json)
{
    return vertex_of(json.is_string() ? find_router(json.get_ref<const std::string&>())
                                      : index_in(json, topology_->router_count()),
                     *topology_, "router", json);
}

ProcessorId PlainNumbers::processor_in(const nlohmann::json& json)
{
    return vertex_of(json.is_string() ? find_processor(json.get_ref<const std::string&>())
                                      : index_in(json, topology_->processor_count()),
                     *topology_, "processor", json);
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
