#include "sim/traffic/class_vcs.hpp"

#include "models/text/unknown_name.hpp"
#include "models/topology/part_patterns.hpp"
#include "models/topology/part_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace nocturne {

namespace {

std::size_t class_called(const std::vector<ClassSpecification>& classes, const std::string& name)
{
    const auto found = std::ranges::find(classes, name, &ClassSpecification::name);
    if (found == classes.end()) {
        std::vector<std::string> known;
        for (const ClassSpecification& each : classes)
            known.push_back(each.name);
        throw std::invalid_argument(unknown_name("class", name, known));
    }
    return static_cast<std::size_t>(found - classes.begin());
}

/// Of the classes in a row, by class; 0 for those that it does not name.
std::vector<unsigned> numbers_in(const PartRow& row, const std::vector<ClassSpecification>& classes)
{
    std::vector<unsigned> numbers(classes.size());
    for (const auto& [name, value] : row.properties) {
        const std::size_t of = class_called(classes, name);
        if (!classes[of].vcs_of.empty())
            throw std::invalid_argument(
                fmt::format("class {} has the virtual channels of {}", name, classes[of].vcs_of));
        numbers[of] = part_number(name, value, most_vcs);
    }
    return numbers;
}

PartRow row_of_links(std::string_view text)
{
    PartRow row = split_part_row(text);
    if (!row.is_of_links)
        throw std::invalid_argument("expected 'link FROM->TO: CLASS=N ...'");
    return row;
}

/// How many links it is about.
std::size_t add_row(const PartRow& row, Topology& topology, const std::vector<ClassSpecification>& classes,
                    ClassVcs& by_channel)
{
    const std::vector<unsigned> numbers = numbers_in(row, classes);
    const std::vector<ChannelId> matching = links_matching(topology, row.pattern);
    if (matching.empty())
        throw std::invalid_argument(fmt::format("{} has no such link", topology.name()));
    for (const ChannelId id : matching) {
        std::vector<unsigned>& there = by_channel[id];
        there.resize(classes.size());
        for (std::size_t i = 0; i < classes.size(); ++i) {
            if (numbers[i] == 0)
                continue;
            if (there[i] != 0 && there[i] != numbers[i])
                throw std::invalid_argument(fmt::format("{}={}, and another row says {} of {}",
                                                        classes[i].name, numbers[i], there[i],
                                                        describe_channel(topology, id)));
            there[i] = numbers[i];
        }
    }
    return matching.size();
}

} // namespace

ClassVcs set_class_vcs(Topology& topology, const std::vector<ClassSpecification>& classes,
                       std::span<const std::string> rows)
{
    if (rows.empty())
        return {};
    for (const ClassSpecification& each : classes)
        if (each.vcs == 0 && each.vcs_of.empty())
            throw std::invalid_argument(fmt::format(
                "virtual channels by class and link: class {} has no vcs=, those of the other links",
                each.name));
    ClassVcs by_channel(topology.channel_count());
    std::vector<std::string> described;
    for (const std::string& text : rows) {
        try {
            const std::size_t count = add_row(row_of_links(text), topology, classes, by_channel);
            described.push_back(fmt::format("{} ({} link{})", text, count, count == 1 ? "" : "s"));
        } catch (const std::invalid_argument& error) {
            throw std::invalid_argument(fmt::format("'{}': {}", text, error.what()));
        }
    }
    for (ChannelId id = 0; id < by_channel.size(); ++id) {
        std::vector<unsigned>& there = by_channel[id];
        if (there.empty())
            continue;
        for (std::size_t i = 0; i < classes.size(); ++i)
            there[i] = there[i] != 0 ? there[i] : classes[i].vcs;
        Channel channel = topology.channel(id);
        const unsigned together = std::accumulate(there.begin(), there.end(), 0u);
        if (channel.vcs != 0 && channel.vcs != together)
            throw std::invalid_argument(
                fmt::format("{} has {} virtual channels of its own, and its classes have {} together",
                            describe_channel(topology, id), channel.vcs, together));
        channel.vcs = together;
        topology.set_channel(id, channel);
    }
    topology.set_name(fmt::format("{} with {}", topology.name(), fmt::join(described, "; ")));
    return by_channel;
}

void check_class_vcs_row(std::string_view row)
{
    for (const auto& [name, value] : row_of_links(row).properties)
        part_number(name, value, most_vcs);
}

} // namespace nocturne
