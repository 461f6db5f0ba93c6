#include "schedules/chunk_search/network_symmetry.hpp"

#include "schedules/symmetry/automorphisms.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace nocturne {
namespace {

using Permutation = std::vector<NodeId>;

/// Nodes, and two vertices for each link: where it begins and where it ends.
ColouredGraph graph_of(const LinkNetwork& network)
{
    ColouredGraph graph;
    for (NodeId node = 0; node < network.node_count(); ++node)
        graph.add_vertex(static_cast<std::uint32_t>(network.kind(node)));
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> colours;
    for (const NetworkLink& link : network.links())
        colours.try_emplace({link.bytes_per_cycle, link.latency_cycles}, 0);
    std::uint32_t colour = 3;
    for (auto& [key, value] : colours) {
        value = colour;
        colour += 2;
    }
    for (const NetworkLink& link : network.links()) {
        const std::uint32_t kind = colours.at({link.bytes_per_cycle, link.latency_cycles});
        const std::uint32_t begin = graph.add_vertex(kind);
        const std::uint32_t end = graph.add_vertex(kind + 1);
        graph.edges.emplace_back(link.source, begin);
        graph.edges.emplace_back(begin, end);
        graph.edges.emplace_back(end, link.target);
    }
    return graph;
}

using LinkKey = std::tuple<NodeId, NodeId, std::uint64_t, std::uint64_t>;

NetworkSymmetry symmetry_of(const LinkNetwork& network, Permutation nodes)
{
    std::map<LinkKey, std::vector<LinkId>> alike;
    for (LinkId id = 0; id < network.link_count(); ++id) {
        const NetworkLink& link = network.link(id);
        alike[{link.source, link.target, link.bytes_per_cycle, link.latency_cycles}].push_back(id);
    }
    NetworkSymmetry result{std::move(nodes), std::vector<LinkId>(network.link_count())};
    for (const auto& [key, links] : alike) {
        const auto& [source, target, bandwidth, latency] = key;
        const auto& images = alike.at({result.nodes[source], result.nodes[target], bandwidth, latency});
        for (std::size_t i = 0; i < links.size(); ++i)
            result.links[links[i]] = images[i];
    }
    return result;
}

bool is_identity(const Permutation& permutation)
{
    return std::ranges::is_sorted(permutation); // each number is there once
}

Permutation compose(const Permutation& first, const Permutation& second)
{
    Permutation result(first.size());
    for (NodeId node = 0; node < first.size(); ++node)
        result[node] = second[first[node]];
    return result;
}

/// The group that these generate, the identity first; its first `most` elements found if it is larger.
std::vector<Permutation> close(const std::vector<Permutation>& generators, std::size_t nodes,
                               std::size_t most)
{
    Permutation identity(nodes);
    std::iota(identity.begin(), identity.end(), 0u);
    std::vector<Permutation> elements{identity};
    std::set<Permutation> known{identity};
    for (std::size_t i = 0; i < elements.size(); ++i)
        for (const Permutation& generator : generators) {
            Permutation product = compose(elements[i], generator);
            if (elements.size() < most && known.insert(product).second)
                elements.push_back(std::move(product));
        }
    return elements;
}

bool moves_every(const Permutation& permutation, std::uint32_t processors)
{
    for (NodeId node = 0; node < processors; ++node)
        if (permutation[node] == node)
            return false;
    return true;
}

/// No more elements than processors: by the first image of processor 0 that is taken twice it fails.
bool is_semiregular(const std::vector<Permutation>& group, std::uint32_t processors)
{
    return group.size() <= processors && std::all_of(group.begin() + 1, group.end(), [&](const auto& one) {
               return moves_every(one, processors);
           });
}

} // namespace

std::vector<std::uint32_t> network_form(const LinkNetwork& network)
{
    std::vector<std::uint32_t> form = canonical_form(graph_of(network));
    // Colours of links stand for these, in this order.
    std::set<std::pair<std::uint64_t, std::uint64_t>> kinds;
    for (const NetworkLink& link : network.links())
        kinds.emplace(link.bytes_per_cycle, link.latency_cycles);
    for (const auto& [bytes, latency] : kinds)
        for (const std::uint64_t number : {bytes, latency}) {
            form.push_back(static_cast<std::uint32_t>(number));
            form.push_back(static_cast<std::uint32_t>(number >> 32U));
        }
    return form;
}

std::vector<NetworkSymmetry> find_symmetries(const LinkNetwork& network)
{
    std::vector<NetworkSymmetry> result;
    for (const auto& generator : find_automorphisms(graph_of(network)).generators) {
        Permutation nodes(generator.begin(), generator.begin() + static_cast<long>(network.node_count()));
        if (!is_identity(nodes))
            result.push_back(symmetry_of(network, std::move(nodes)));
    }
    return result;
}

std::vector<std::vector<NetworkSymmetry>> semiregular_groups(const LinkNetwork& network, std::size_t most)
{
    constexpr std::size_t most_elements = 4096;
    const std::uint32_t processors = network.processor_count();
    std::vector<Permutation> generators;
    for (const NetworkSymmetry& symmetry : find_symmetries(network))
        generators.push_back(symmetry.nodes);
    std::vector<Permutation> all = close(generators, network.node_count(), most_elements);
    std::erase_if(all, [&](const auto& one) { return !moves_every(one, processors); });
    std::set<std::vector<Permutation>> groups; // each sorted
    for (std::size_t first = 0; first < all.size() && groups.size() < 4 * most; ++first) {
        std::vector<Permutation> chosen{all[first]};
        std::vector<Permutation> group = close(chosen, network.node_count(), processors + 1);
        if (!is_semiregular(group, processors))
            continue;
        for (std::size_t step = 0; step <= all.size() && group.size() < processors; ++step) {
            std::vector<Permutation> sorted = group;
            std::ranges::sort(sorted);
            groups.insert(std::move(sorted));
            if (step == all.size())
                break;
            const Permutation& next = all[(first + step) % all.size()];
            if (std::ranges::find(group, next) != group.end())
                continue;
            chosen.push_back(next);
            std::vector<Permutation> larger = close(chosen, network.node_count(), processors + 1);
            if (is_semiregular(larger, processors))
                group = std::move(larger);
            else
                chosen.pop_back();
        }
        std::ranges::sort(group);
        groups.insert(std::move(group));
    }
    std::vector<std::vector<Permutation>> sorted(groups.begin(), groups.end());
    std::ranges::stable_sort(sorted, [](const auto& a, const auto& b) { return a.size() > b.size(); });
    std::vector<std::vector<NetworkSymmetry>> result;
    for (const auto& group : sorted) {
        if (result.size() == most)
            break;
        result.emplace_back();
        for (const Permutation& element : group)
            if (!is_identity(element))
                result.back().push_back(symmetry_of(network, element));
    }
    return result;
}

namespace {

/// The image of each chunk; nothing if there is none.
std::vector<ChunkId> images_of_chunks(const Collective& collective, const NetworkSymmetry& symmetry)
{
    using Key = std::tuple<std::uint32_t, std::vector<std::uint32_t>, std::vector<std::uint32_t>>;
    std::vector<Key> keys;
    for (ChunkId c = 0; c < collective.chunks.size(); ++c) {
        const auto receivers = collective.demands.receivers_of(c);
        keys.emplace_back(collective.chunks[c].weight, collective.chunks[c].contributors,
                          std::vector(receivers.begin(), receivers.end()));
    }
    std::map<Key, std::vector<ChunkId>> alike;
    for (ChunkId c = 0; c < keys.size(); ++c)
        alike[keys[c]].push_back(c);
    std::vector<ChunkId> images(keys.size());
    for (const auto& [key, chunks] : alike) {
        Key image = key;
        for (auto* nodes : {&std::get<1>(image), &std::get<2>(image)}) {
            for (NodeId& node : *nodes)
                node = symmetry.nodes[node];
            std::sort(nodes->begin(), nodes->end());
        }
        const auto found = alike.find(image);
        if (found == alike.end() || found->second.size() != chunks.size())
            return {};
        for (std::size_t i = 0; i < chunks.size(); ++i)
            images[chunks[i]] = found->second[i];
    }
    return images;
}

std::map<std::vector<LinkId>, std::uint32_t> index_of_paths(std::span<const ChunkHop> hops)
{
    std::map<std::vector<LinkId>, std::uint32_t> index;
    for (std::uint32_t h = 0; h < hops.size(); ++h)
        index[hops[h].path] = h;
    return index;
}

std::vector<std::uint32_t> images_of_hops(std::span<const ChunkHop> hops,
                                          const std::map<std::vector<LinkId>, std::uint32_t>& index,
                                          const NetworkSymmetry& symmetry)
{
    std::vector<std::uint32_t> images;
    for (const ChunkHop& hop : hops) {
        std::vector<LinkId> path = hop.path;
        for (LinkId& link : path)
            link = symmetry.links[link];
        images.push_back(index.at(path));
    }
    return images;
}

/// Chunks that differ in nothing but their number.
bool are_alike(const Collective& collective)
{
    const auto owe_same = [](const Demand& a, const Demand& b) {
        return a.receiver == b.receiver && a.contributors == b.contributors;
    };
    for (ChunkId c = 1; c < collective.chunks.size(); ++c)
        if (collective.chunks[c] != collective.chunks[0] ||
            !std::ranges::equal(collective.demands.of(c), collective.demands.of(0), owe_same))
            return false;
    return true;
}

/// Does the symmetry keep what each chunk is made of, and who is owed what?
bool keeps_demands(const Collective& collective, const SumSymmetry& symmetry)
{
    const auto image_of = [&](std::vector<std::uint32_t> processors) {
        for (std::uint32_t& processor : processors)
            processor = symmetry.nodes[processor];
        std::ranges::sort(processors);
        return processors;
    };
    for (ChunkId c = 0; c < collective.chunks.size(); ++c) {
        const Chunk& image = collective.chunks[symmetry.chunks[c]];
        if (image.weight != collective.chunks[c].weight ||
            !(image.contributors == image_of(collective.chunks[c].contributors)))
            return false;
    }
    std::map<std::pair<ChunkId, std::uint32_t>, const ProcessorList*> owed;
    for (const Demand& demand : collective.demands)
        owed[{demand.chunk, demand.receiver}] = &demand.contributors;
    return std::ranges::all_of(collective.demands, [&](const auto& demand) {
        const auto image = owed.find({symmetry.chunks[demand.chunk], symmetry.nodes[demand.receiver]});
        return image != owed.end() && *image->second == image_of(demand.contributors);
    });
}

} // namespace

TransferOrbits transfer_orbits(std::span<const ChunkHop> hops, const Collective& collective,
                               std::span<const NetworkSymmetry> symmetries)
{
    const std::size_t chunks = collective.chunks.size();
    const auto index = index_of_paths(hops);
    TransferOrbits first(hops.size() * chunks);
    std::iota(first.begin(), first.end(), 0u);
    const auto root = [&](std::uint32_t at) {
        while (first[at] != at)
            at = first[at] = first[first[at]];
        return at;
    };
    for (const NetworkSymmetry& symmetry : symmetries) {
        const std::vector<ChunkId> images = images_of_chunks(collective, symmetry);
        if (images.size() != chunks)
            return {};
        const std::vector<std::uint32_t> hop_images = images_of_hops(hops, index, symmetry);
        for (std::uint32_t h = 0; h < hops.size(); ++h) {
            const std::uint32_t image = hop_images[h];
            for (ChunkId c = 0; c < chunks; ++c) {
                const std::uint32_t a = root(static_cast<std::uint32_t>(h * chunks + c));
                const std::uint32_t b = root(static_cast<std::uint32_t>(image * chunks + images[c]));
                first[std::max(a, b)] = std::min(a, b);
            }
        }
    }
    for (std::uint32_t i = 0; i < first.size(); ++i)
        first[i] = root(i);
    return first;
}

std::vector<SumSymmetry> sum_symmetries(std::span<const ChunkHop> hops, const Collective& collective,
                                        std::span<const NetworkSymmetry> symmetries)
{
    const auto index = index_of_paths(hops);
    const std::size_t order = symmetries.size() + 1, chunks = collective.chunks.size();
    const bool move_chunks = chunks % order == 0 && are_alike(collective);
    // An element is known by where it takes processor 0: no two take it to the same.
    std::vector<NodeId> orbit{0};
    for (const NetworkSymmetry& symmetry : symmetries)
        orbit.push_back(symmetry.nodes[0]);
    std::ranges::sort(orbit);
    std::vector<SumSymmetry> result;
    for (const NetworkSymmetry& symmetry : symmetries) {
        SumSymmetry one{symmetry.nodes, images_of_hops(hops, index, symmetry), std::vector<ChunkId>(chunks)};
        const std::size_t each = move_chunks ? chunks / order : 1;
        for (ChunkId c = 0; c < chunks; ++c) {
            if (!move_chunks) {
                one.chunks[c] = c;
                continue;
            }
            const NodeId image = symmetry.nodes[orbit[c / each]];
            const auto position = std::ranges::lower_bound(orbit, image) - orbit.begin();
            one.chunks[c] = static_cast<ChunkId>(static_cast<std::size_t>(position) * each + c % each);
        }
        if (!keeps_demands(collective, one))
            return {};
        result.push_back(std::move(one));
    }
    return result;
}

} // namespace nocturne
