#include "schedules/symmetry/symmetries.hpp"

#include "schedules/symmetry/automorphisms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>

namespace nocturne {

namespace {

/// The network as a graph. Every channel is an edge from its tail to its head, every processor has one vertex
/// for its injection and one for its ejection, and two poles know all tails and injections, all heads and
/// ejections: who swaps the poles turns everything round.
class NetworkGraph {
public:
    NetworkGraph(const Topology& topology, Reversal reversal) : topology_(topology)
    {
        const std::uint32_t senders = graph_.add_vertex(pole);
        const std::uint32_t receivers = graph_.add_vertex(reversal == Reversal::included ? pole : other_pole);
        const auto first_router = static_cast<std::uint32_t>(graph_.colours.size());
        graph_.colours.resize(first_router + topology.router_count(), router);
        first_channel_ = static_cast<std::uint32_t>(graph_.colours.size());
        for (const Channel& channel : topology.channels())
            add_pair(channel_end, senders, receivers, first_router + channel.source,
                     first_router + channel.target);
        first_processor_ = static_cast<std::uint32_t>(graph_.colours.size());
        for (const Processor& processor : topology.processors())
            add_pair(attachment, senders, receivers, first_router + processor.injection,
                     first_router + processor.ejection);
    }

    /// Each message is a vertex between its sender's injection and its receiver's ejection, so that it is not
    /// taken for the edge that joins the two ends of a processor. Where everybody of one set sends to
    /// everybody of another, colours say as much.
    void add_messages(const Collective& collective)
    {
        for (const Message& message : collective.messages()) {
            for (const ProcessorId receiver : message.receivers) {
                if (collective.kind == CollectiveKind::permutation ||
                    collective.kind == CollectiveKind::custom) {
                    const std::uint32_t vertex = graph_.add_vertex(permuted);
                    graph_.edges.emplace_back(injection(message.origin), vertex);
                    graph_.edges.emplace_back(vertex, injection(receiver) + 1);
                }
                graph_.colours[injection(message.origin)] = busy_attachment;
                graph_.colours[injection(receiver) + 1] = busy_attachment;
            }
        }
    }

    SymmetryGroup symmetries() const
    {
        const AutomorphismGroup automorphisms = find_automorphisms(graph_);
        SymmetryGroup group{.generators = {}, .order = automorphisms.order};
        for (const std::vector<std::uint32_t>& images : automorphisms.generators)
            group.generators.push_back(symmetry(images));
        return group;
    }

private:
    enum Colour : std::uint32_t {
        pole,
        other_pole,
        router,
        channel_end,
        attachment,
        busy_attachment,
        permuted
    };

    std::uint32_t injection(ProcessorId id) const { return first_processor_ + 2 * id; }

    void add_pair(Colour colour, std::uint32_t senders, std::uint32_t receivers, std::uint32_t tail_router,
                  std::uint32_t head_router)
    {
        const std::uint32_t tail = graph_.add_vertex(colour);
        const std::uint32_t head = graph_.add_vertex(colour);
        for (const auto& edge : {std::pair{tail, head},
                                 {tail, senders},
                                 {head, receivers},
                                 {tail, tail_router},
                                 {head, head_router}})
            graph_.edges.push_back(edge);
    }

    Symmetry symmetry(const std::vector<std::uint32_t>& images) const
    {
        Symmetry result{.reverses = images[0] != 0, .processors = {}, .channels = {}};
        for (ChannelId id = 0; id < topology_.channel_count(); ++id)
            result.channels.push_back((images[first_channel_ + 2 * id] - first_channel_) / 2);
        for (ProcessorId id = 0; id < topology_.processor_count(); ++id)
            result.processors.push_back((images[injection(id)] - first_processor_) / 2);
        return result;
    }

    const Topology& topology_;
    ColouredGraph graph_;
    std::uint32_t first_channel_ = 0;
    std::uint32_t first_processor_ = 0;
};

} // namespace

Symmetry identity(const Topology& topology)
{
    Symmetry result{.reverses = false,
                    .processors = std::vector<ProcessorId>(topology.processor_count()),
                    .channels = std::vector<ChannelId>(topology.channel_count())};
    std::iota(result.processors.begin(), result.processors.end(), 0u);
    std::iota(result.channels.begin(), result.channels.end(), 0u);
    return result;
}

bool is_identity(const Symmetry& symmetry)
{
    const auto keeps_all = [](const std::vector<std::uint32_t>& images) {
        for (std::uint32_t i = 0; i < images.size(); ++i) {
            if (images[i] != i)
                return false;
        }
        return true;
    };
    return !symmetry.reverses && keeps_all(symmetry.processors) && keeps_all(symmetry.channels);
}

Symmetry compose(const Symmetry& first, const Symmetry& second)
{
    Symmetry result = first;
    result.reverses = first.reverses != second.reverses;
    for (ProcessorId& id : result.processors)
        id = second.processors[id];
    for (ChannelId& id : result.channels)
        id = second.channels[id];
    return result;
}

Symmetry inverse(const Symmetry& symmetry)
{
    Symmetry result = symmetry;
    for (ProcessorId id = 0; id < symmetry.processors.size(); ++id)
        result.processors[symmetry.processors[id]] = id;
    for (ChannelId id = 0; id < symmetry.channels.size(); ++id)
        result.channels[symmetry.channels[id]] = id;
    return result;
}

SourceAndDestination image(const Symmetry& symmetry, SourceAndDestination message)
{
    const ProcessorId source = symmetry.processors[message.source];
    const ProcessorId destination = symmetry.processors[message.destination];
    return symmetry.reverses ? SourceAndDestination{destination, source}
                             : SourceAndDestination{source, destination};
}

Path image(const Symmetry& symmetry, const Path& path)
{
    Path result;
    for (const ChannelId id : path)
        result.push_back(symmetry.channels[id]);
    if (symmetry.reverses)
        std::reverse(result.begin(), result.end());
    return result;
}

std::optional<SourceAndDestination> kept_message(const Collective& collective, const Symmetry& symmetry)
{
    const auto exists = [&](const SourceAndDestination& ends) {
        return ends.source != ends.destination && find_message(collective, ends.source, ends.destination);
    };
    std::vector<ProcessorId> kept;
    for (ProcessorId id = 0; id < symmetry.processors.size(); ++id) {
        const ProcessorId to = symmetry.processors[id];
        if (symmetry.reverses && symmetry.processors[to] == id && exists({id, to}))
            return SourceAndDestination{id, to};
        if (!symmetry.reverses && to == id)
            kept.push_back(id);
    }
    for (const ProcessorId source : kept) {
        for (const ProcessorId destination : kept) {
            if (exists({source, destination}))
                return SourceAndDestination{source, destination};
        }
    }
    return std::nullopt;
}

SymmetryGroup find_symmetries(const Topology& topology, Reversal reversal)
{
    return NetworkGraph(topology, reversal).symmetries();
}

SymmetryGroup find_symmetries(const Topology& topology, const Collective& collective, Reversal reversal)
{
    if (collective.processors != topology.processor_count())
        throw std::invalid_argument(fmt::format("{} has {} processors, the collective {}", topology.name(),
                                                topology.processor_count(), collective.processors));
    NetworkGraph graph(topology, is_broadcast(collective) ? Reversal::excluded : reversal);
    graph.add_messages(collective);
    return graph.symmetries();
}

std::optional<std::vector<Symmetry>> elements(const Topology& topology, std::span<const Symmetry> generators,
                                              std::size_t most,
                                              const std::function<bool(const Symmetry&)>& acceptable)
{
    std::vector<Symmetry> found{identity(topology)};
    // By index, so that every element is kept once.
    const auto less = [&](std::size_t a, std::size_t b) { return found[a] < found[b]; };
    std::set<std::size_t, decltype(less)> known(less);
    known.insert(0);
    for (std::size_t next = 0; next < found.size(); ++next) {
        for (const Symmetry& generator : generators) {
            found.push_back(compose(found[next], generator));
            if (!known.insert(found.size() - 1).second)
                found.pop_back();
            else if (found.size() > most || !acceptable(found.back()))
                return std::nullopt;
        }
    }
    return found;
}

} // namespace nocturne
