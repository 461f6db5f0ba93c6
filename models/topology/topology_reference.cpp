#include "models/topology/topology_reference.hpp"

#include "models/text/json_text.hpp"
#include "models/topology/json_format.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/topology_files.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

nlohmann::ordered_json topology_reference(const std::string& specification, const Topology& topology)
{
    const std::string whole = to_json(topology);
    try {
        if (to_json(make_topology(specification)) == whole)
            return specification;
    } catch (const std::invalid_argument&) {
        // no specification
    }
    return ordered_json_from_text(whole);
}

Topology referenced_topology(const nlohmann::json& reference, const std::filesystem::path& file)
{
    const std::string origin = fmt::format("{}: /topology", file.string());
    if (reference.is_object())
        return topology_from_json(json_text(reference), origin);
    const auto text = reference.get<std::string>();
    if (!names_topology_kind(text) && std::filesystem::path(text).has_extension())
        return load_topology(file.parent_path() / text);
    try {
        return make_topology(text);
    } catch (const std::invalid_argument& error) {
        throw std::runtime_error(fmt::format("{}: {}", origin, error.what()));
    }
}

std::optional<std::string> objection_to_network(std::string_view what, const Topology& made_for,
                                                const Topology& wanted)
{
    if (to_json(made_for) == to_json(wanted))
        return std::nullopt;
    if (made_for.name() == wanted.name())
        return fmt::format("this {} is for another {}", what, wanted.name());
    return fmt::format("this {} is for {}, not for {}", what, made_for.name(), wanted.name());
}

} // namespace nocturne
