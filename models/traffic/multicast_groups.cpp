#include "models/traffic/multicast_groups.hpp"

#include "models/routing/random.hpp"
#include "models/topology/csv_rows.hpp"
#include "models/topology/files.hpp"
#include "models/topology/plain_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

constexpr const char* groups_header = "source,destinations";
constexpr std::uint64_t most_destinations = std::uint64_t{1} << 28; ///< of random groups together

} // namespace

std::vector<MulticastGroup> random_groups(std::uint32_t processors, std::uint32_t destinations,
                                          std::uint64_t seed)
{
    if (destinations == 0 || destinations >= processors)
        throw std::invalid_argument(fmt::format("multicast to {} of {} processors: from 1 to {} others",
                                                destinations, processors, processors - 1));
    if (std::uint64_t{processors} * destinations > most_destinations)
        throw std::invalid_argument(fmt::format("multicast of {} processors to {} others: at most {} in all",
                                                processors, destinations, most_destinations));
    SplitMix64 random(seed);
    std::vector<MulticastGroup> groups;
    const std::uint32_t others = processors - 1;
    for (ProcessorId source = 0; source < processors; ++source) {
        // Floyd's algorithm (Bentley and Floyd, A sample of brilliance, CACM 30, 1987).
        std::set<std::uint32_t> drawn;
        for (std::uint32_t last = others - destinations; last < others; ++last)
            if (!drawn.insert(random.below(last + 1)).second)
                drawn.insert(last);
        MulticastGroup& group = groups.emplace_back(MulticastGroup{source, {}});
        for (const std::uint32_t other : drawn)
            group.destinations.push_back(other < source ? other : other + 1);
    }
    return groups;
}

std::vector<MulticastGroup> read_groups(const Topology& topology, const std::string& path)
{
    std::vector<MulticastGroup> groups;
    bool has_header = false;
    PlainNumbers numbers(topology, "multicast groups");
    const auto processor = [&](const std::string& name) {
        const auto id = numbers.find_processor(name);
        if (!id)
            throw std::invalid_argument(fmt::format("{} has no processor '{}'", topology.name(), name));
        return *id;
    };
    read_csv_rows(read_file(path), path, [&](const std::vector<std::string>& fields, std::size_t) {
        if (!has_header && csv_line(fields) != groups_header)
            throw std::invalid_argument(fmt::format("expected the header {}", groups_header));
        if (!std::exchange(has_header, true))
            return;
        require_csv_fields(fields.size(), groups_header);
        MulticastGroup& group = groups.emplace_back(MulticastGroup{processor(fields[0]), {}});
        std::istringstream names(fields[1]);
        for (std::string name; names >> name;) {
            const ProcessorId id = processor(name);
            if (std::ranges::find(group.destinations, id) != group.destinations.end())
                throw std::invalid_argument(fmt::format("destination {} twice", name));
            group.destinations.push_back(id);
        }
        if (group.destinations.empty())
            throw std::invalid_argument("a group without destinations");
    });
    if (groups.empty())
        throw std::runtime_error(
            fmt::format("{}: no groups; expected {} and a group a line", path, groups_header));
    return groups;
}

} // namespace nocturne
