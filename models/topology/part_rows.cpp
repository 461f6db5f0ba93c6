#include "models/topology/part_rows.hpp"

#include "models/text/unknown_name.hpp"
#include "models/topology/part_patterns.hpp"

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

constexpr unsigned most_latency_cycles = 1'000'000;
constexpr unsigned most_width_bytes = 1'000'000;

void set_property(Channel& channel, std::string_view name, const std::string& value)
{
    if (name == "latency")
        channel.latency_cycles = part_number(name, value, most_latency_cycles);
    else if (name == "width")
        channel.width_bytes = part_number(name, value, most_width_bytes);
    else if (name == "buffers")
        channel.buffer_flits = part_number(name, value, most_buffer_flits);
    else if (name == "vcs")
        channel.vcs = part_number(name, value, most_vcs);
    else
        throw std::invalid_argument(
            unknown_name("property", name, std::vector<std::string>{"latency", "width", "buffers", "vcs"}));
}

template <class Part>
void set_properties(Part& part, const PartRow& row)
{
    for (const auto& [name, value] : row.properties)
        set_property(part, name, value);
}

/// Its values are in range.
PartRow parse_part_row(std::string_view text)
{
    PartRow row = split_part_row(text);
    RouterPart router;
    Channel channel{};
    if (row.is_of_links)
        set_properties(channel, row);
    else
        set_properties(router, row);
    return row;
}

/// Which row said it first, by router or link and property.
class SaidBefore {
public:
    /// Throws if another row has said otherwise.
    void note(std::uint32_t id, const std::string& what, const PartRow& row, std::size_t number,
              std::span<const std::string> rows)
    {
        for (const auto& [key, value] : row.properties) {
            const auto [before, is_new] = said_.try_emplace({id, key}, number, value);
            if (!is_new && before->second.second != value)
                throw std::invalid_argument(
                    fmt::format("contradicts '{}' in {} of {}", rows[before->second.first], key, what));
        }
    }

private:
    std::map<std::pair<std::uint32_t, std::string>, std::pair<std::size_t, std::string>> said_;
};

/// The rows in their order, on one network.
class PartRows {
public:
    PartRows(Topology& topology, std::span<const std::string> rows) : topology_(topology), rows_(rows) {}

    /// What the row is about: `4 routers`.
    std::string apply(std::size_t number)
    {
        const PartRow row = parse_part_row(rows_[number]);
        return row.is_of_links ? apply_to_links(row, number) : apply_to_routers(row, number);
    }

private:
    std::string apply_to_routers(const PartRow& row, std::size_t number)
    {
        const std::vector<bool> matching = routers_matching(topology_, row.pattern);
        std::size_t count = 0;
        for (RouterId id = 0; id < matching.size(); ++id) {
            if (!matching[id])
                continue;
            ++count;
            routers_.note(id, fmt::format("router {}", topology_.router_name(id)), row, number, rows_);
            RouterPart part = topology_.part(id);
            set_properties(part, row);
            topology_.set_part(id, part);
        }
        return counted(count, "router");
    }

    std::string apply_to_links(const PartRow& row, std::size_t number)
    {
        const std::vector<ChannelId> matching = links_matching(topology_, row.pattern);
        for (const ChannelId id : matching) {
            links_.note(id, describe_channel(topology_, id), row, number, rows_);
            Channel channel = topology_.channel(id);
            set_properties(channel, row);
            topology_.set_channel(id, channel);
        }
        return counted(matching.size(), "link");
    }

    std::string counted(std::size_t count, const char* what) const
    {
        if (count == 0)
            throw std::invalid_argument(fmt::format("{} has no such {}", topology_.name(), what));
        return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
    }

    Topology& topology_;
    std::span<const std::string> rows_;
    SaidBefore routers_, links_;
};

template <class Action>
auto in_row(std::string_view row, Action action)
{
    try {
        return action();
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(fmt::format("part '{}': {}", row, error.what()));
    }
}

} // namespace

PartRow split_part_row(std::string_view text)
{
    constexpr const char* form = "expected 'router PATTERN: KEY=VALUE ...' or 'link FROM->TO: KEY=VALUE ...'";
    // Names of routers may have a colon: that before the properties is the last before the first '='.
    const std::size_t equals = text.find('=');
    const std::size_t colon = text.substr(0, std::min(equals, text.size())).rfind(':');
    if (equals == text.npos || colon == text.npos)
        throw std::invalid_argument(form);
    std::string subject = boost::algorithm::trim_copy(std::string(text.substr(0, colon)));
    const std::size_t space = std::min(subject.find(' '), subject.size());
    PartRow row{subject.substr(0, space) == "link", boost::algorithm::trim_copy(subject.substr(space)), {}};
    if ((!row.is_of_links && subject.substr(0, space) != "router") || row.pattern.empty())
        throw std::invalid_argument(form);
    std::vector<std::string> words;
    const std::string rest = boost::algorithm::trim_copy(std::string(text.substr(colon + 1)));
    boost::algorithm::split(
        words, rest, [](char c) { return c == ' '; }, boost::algorithm::token_compress_on);
    for (const std::string& word : words) {
        const std::size_t at = word.find('=');
        if (at == std::string::npos || at == 0 || at + 1 == word.size())
            throw std::invalid_argument(fmt::format("'{}': expected KEY=VALUE", shortened(word)));
        if (!row.properties.emplace(word.substr(0, at), word.substr(at + 1)).second)
            throw std::invalid_argument(fmt::format("{} is given twice", word.substr(0, at)));
    }
    return row;
}

Topology with_parts(Topology topology, std::span<const std::string> rows)
{
    if (rows.empty())
        return topology;
    std::vector<std::string> described;
    PartRows parts(topology, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::string matched = in_row(rows[i], [&] { return parts.apply(i); });
        described.push_back(fmt::format("{} ({})", rows[i], matched));
    }
    topology.set_name(fmt::format("{} with {}", topology.name(), fmt::join(described, "; ")));
    return topology;
}

void check_part_row(std::string_view row)
{
    static_cast<void>(parse_part_row(row));
}

} // namespace nocturne
