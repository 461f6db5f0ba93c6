#include "models/routing/noxim_table.hpp"

#include "models/routing/adaptive.hpp"
#include "models/routing/destination_tables.hpp"
#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"
#include "models/topology/files.hpp"

#include <boost/algorithm/string.hpp>
#include <boost/container/small_vector.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace nocturne {

namespace {

/// Between two nodes, or of one with itself.
struct NodePair {
    RouterId from;
    RouterId to;
};

struct Entry {
    RouterId node;
    NodePair in;
    RouterId destination;
    std::vector<NodePair> out;
};

/// What is no number is said by the caller.
std::optional<NodePair> pair_in(std::string text)
{
    boost::trim(text);
    const std::size_t arrow = text.find("->");
    if (arrow == std::string::npos)
        return std::nullopt;
    const auto from = number_of<RouterId>(std::string_view(text).substr(0, arrow));
    const auto to = number_of<RouterId>(std::string_view(text).substr(arrow + 2));
    if (!from || !to)
        return std::nullopt;
    return NodePair{*from, *to};
}

std::optional<Entry> entry_in(const std::string& line)
{
    std::istringstream words(line);
    std::string node, in, destination, rest;
    words >> node >> in >> destination;
    std::getline(words, rest);
    const auto at = number_of<RouterId>(node);
    const auto to = number_of<RouterId>(destination);
    const auto by = pair_in(in);
    if (!at || !to || !by)
        return std::nullopt;
    Entry entry{*at, *by, *to, {}};
    std::vector<std::string> parts;
    boost::split(parts, rest, [](char c) { return c == ','; });
    for (std::string& part : parts) {
        boost::trim(part);
        if (part.empty())
            continue;
        const auto out = pair_in(part);
        if (!out)
            return std::nullopt;
        entry.out.push_back(*out);
    }
    if (entry.out.empty())
        return std::nullopt;
    return entry;
}

/// By router and arrival, and by destination: the channels that messages may take.
class AllowedByTable {
public:
    explicit AllowedByTable(const Topology& topology)
        : topology_(topology), arrival_(topology.channel_count())
    {
        for (RouterId id = 0; id < topology.router_count(); ++id) {
            unsigned next = 1; // 0: injected
            for (const ChannelId channel : topology.channels_to(id))
                arrival_[channel] = next++;
            arrivals_ = std::max(arrivals_, next);
        }
        allowed_.resize(topology.router_count());
        for (auto& of_destination : allowed_)
            of_destination.resize(topology.router_count() * arrivals_);
    }

    /// Throws std::invalid_argument.
    void add(const Entry& entry)
    {
        for (const RouterId id : {entry.node, entry.destination, entry.in.from, entry.in.to})
            check(id);
        if (entry.in.to != entry.node)
            throw std::invalid_argument(fmt::format("channel {}->{} does not lead to node {}", entry.in.from,
                                                    entry.in.to, entry.node));
        AdaptiveRouting::Channels out;
        for (const auto& [from, to] : entry.out) {
            check(to);
            if (from != entry.node)
                throw std::invalid_argument(
                    fmt::format("channel {}->{} does not start at node {}", from, to, entry.node));
            if (to != from)
                for (const ChannelId id : channels(from, to))
                    out.push_back(id);
        }
        if (entry.in.from == entry.node) {
            put(entry, 0, out);
            return;
        }
        for (const ChannelId id : channels(entry.in.from, entry.node))
            put(entry, arrival_[id], out);
    }

    AdaptiveRouting::Channels of(RouterId destination, RouterId at, unsigned arrival) const
    {
        const Few& few = allowed_[destination][std::size_t{at} * arrivals_ + arrival];
        return {few.begin(), few.end()};
    }
    unsigned arrivals() const { return arrivals_; }
    unsigned arrival(ChannelId id) const { return arrival_[id]; }

private:
    using Few = boost::container::small_vector<ChannelId, 2>; // there is one for each input and destination

    void check(RouterId id) const
    {
        if (id >= topology_.router_count())
            throw std::invalid_argument(fmt::format("{} has no node {}", topology_.name(), id));
    }

    std::vector<ChannelId> channels(RouterId from, RouterId to) const
    {
        std::vector<ChannelId> found;
        for (const ChannelId id : topology_.channels_from(from))
            if (topology_.channel(id).target == to)
                found.push_back(id);
        if (found.empty())
            throw std::invalid_argument(fmt::format("{} has no channel {}->{}", topology_.name(), from, to));
        return found;
    }

    /// Lines for the same add up.
    void put(const Entry& entry, unsigned arrival, const AdaptiveRouting::Channels& out)
    {
        Few& known = allowed_[entry.destination][std::size_t{entry.node} * arrivals_ + arrival];
        for (const ChannelId id : out)
            if (std::find(known.begin(), known.end(), id) == known.end())
                known.push_back(id);
    }

    const Topology& topology_;
    unsigned arrivals_ = 1;
    std::vector<unsigned> arrival_; ///< by channel
    std::vector<std::vector<Few>> allowed_;
};

/// Requires that from wherever messages to the destination can be they may go on, and come to their end
/// whatever is chosen: what they can do next has no circle.
class ProgressCheck {
public:
    ProgressCheck(const AdaptiveRouting& routing, std::string origin)
        : routing_(routing), origin_(std::move(origin))
    {
    }

    void check(RouterId destination)
    {
        next_.clear();
        routing_.visit_allowed(destination, [&](RouterId at, unsigned arrival, const auto& allowed) {
            if (at != destination && allowed.empty())
                fail(fmt::format("messages to node {} can come to node {}, where {} has no entry for them",
                                 destination, at, arrival == 0 ? "injection" : "their channel"));
            auto& of_state = next_[{at, arrival}];
            for (const ChannelId id : allowed)
                of_state.emplace_back(routing_.topology().channel(id).target, routing_.arrival_by(id));
        });
        // Kahn's order: what is left when all that nothing leads to has been taken away is in circles.
        std::map<State, unsigned> leading;
        for (const auto& [state, all] : next_)
            for (const State& next : all)
                ++leading[next];
        std::vector<State> ready;
        for (const auto& [state, all] : next_)
            if (leading[state] == 0)
                ready.push_back(state);
        std::size_t taken = 0;
        for (; taken < ready.size(); ++taken)
            for (const State& next : next_[ready[taken]])
                if (--leading[next] == 0)
                    ready.push_back(next);
        if (taken == next_.size())
            return;
        for (const auto& [state, all] : next_)
            if (leading[state] > 0)
                fail(fmt::format("messages to node {} can loop after node {}", destination, state.first));
    }

private:
    using State = std::pair<RouterId, unsigned>; ///< router and arrival

    [[noreturn]] void fail(const std::string& reason) const
    {
        throw std::runtime_error(fmt::format("{}: {}", origin_, reason));
    }

    const AdaptiveRouting& routing_;
    std::string origin_;
    std::map<State, std::vector<State>> next_;
};

bool says_something(const std::string& line)
{
    return !line.empty() && line.front() != '%';
}

} // namespace

bool is_noxim_table(std::string_view text)
{
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        boost::trim(line);
        if (says_something(line))
            return entry_in(line).has_value();
    }
    return false;
}

Routing read_noxim_table(const Topology& topology, const std::string& origin, std::string_view text,
                         std::uint64_t seed)
{
    require_room_for_tables(topology, origin);
    const auto table = std::make_shared<AllowedByTable>(topology);
    std::istringstream lines{std::string(text)};
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        boost::trim(line);
        if (!says_something(line))
            continue;
        try {
            const auto entry = entry_in(line);
            if (!entry)
                throw std::invalid_argument(
                    fmt::format("'{}': expected node, channel, destination, channels, such as 1 1->1 7 1->2,",
                                shortened(line)));
            table->add(*entry);
        } catch (const std::invalid_argument& error) {
            throw std::runtime_error(one_line(fmt::format("{}:{}: {}", origin, number, error.what())));
        }
    }
    RoutingFunction function{[table](RouterId destination) -> AllowedChannels {
                                 return [table, destination](RouterId at, unsigned arrival) {
                                     return table->of(destination, at, arrival);
                                 };
                             },
                             table->arrivals(), [table](ChannelId id) { return table->arrival(id); }};
    const auto adaptive = std::make_shared<const AdaptiveRouting>(topology, std::move(function), seed);
    ProgressCheck progress(*adaptive, origin);
    for (const RouterId destination : ejection_routers(topology))
        progress.check(destination);
    return {origin, 1, adaptive};
}

} // namespace nocturne
