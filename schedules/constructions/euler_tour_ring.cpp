#include "schedules/constructions/constructions.hpp"
#include "schedules/constructions/network_shape.hpp"
#include "schedules/constructions/processor_ring.hpp"
#include "schedules/schedule/validator.hpp"

#include <utility>

namespace nocturne {
namespace {

struct TreeLink {
    RouterId child;
    ChannelId down;
    ChannelId up;
};

/// A tree of bidirectional links, by router its links to its children.
struct Tree {
    RouterId root;
    std::vector<std::vector<TreeLink>> links;
};

/// The breadth-first tree from `root`, cut back to the branches that lead to wanted routers; nothing if it
/// does not reach all of them.
std::optional<Tree> spanning_tree(const Topology& topology, RouterId root, std::vector<bool> wanted)
{
    std::vector<std::vector<TreeLink>> links(topology.router_count());
    std::vector<bool> reached(topology.router_count());
    std::vector<std::pair<RouterId, TreeLink>> found; // with the parents, in breadth-first order
    reached[root] = true;
    const auto expand = [&](RouterId parent) {
        for (const ChannelId down : topology.channels_from(parent)) {
            const RouterId child = topology.channel(down).target;
            if (const auto up = find_channel(topology, child, parent); up && !reached[child]) {
                reached[child] = true;
                found.push_back({parent, {child, down, *up}});
            }
        }
    };
    expand(root);
    for (std::size_t i = 0; i < found.size(); ++i)
        expand(found[i].second.child);
    for (RouterId r = 0; r < wanted.size(); ++r)
        if (wanted[r] && !reached[r])
            return std::nullopt;
    for (; !found.empty(); found.pop_back()) {
        const auto& [parent, link] = found.back();
        if (!wanted[link.child])
            continue;
        wanted[parent] = true;
        links[parent].push_back(link);
    }
    return Tree{root, std::move(links)};
}

/// Cuts the walk round the tree at each processor's first visit.
class Tour {
public:
    Tour(const Tree& tree, std::vector<std::vector<ProcessorId>> processors)
        : tree_(tree), processors_(std::move(processors))
    {
        visit(tree.root);
        ring_.onward.push_back(walked_);
    }
    ProcessorRing ring() && { return std::move(ring_); }

private:
    void visit(RouterId router)
    {
        for (const ProcessorId p : processors_[router]) {
            if (!ring_.order.empty())
                ring_.onward.push_back(std::exchange(walked_, {}));
            ring_.order.push_back(p);
        }
        for (const TreeLink& link : tree_.links[router]) {
            walked_.push_back(link.down);
            visit(link.child);
            walked_.push_back(link.up);
        }
    }

    const Tree& tree_;
    std::vector<std::vector<ProcessorId>> processors_; ///< by router: those to be visited
    ProcessorRing ring_;
    Path walked_; ///< since the last visit
};

} // namespace

std::optional<Schedule> euler_tour_ring(const Problem& problem)
{
    const Topology& topology = problem.topology;
    const std::vector<ProcessorId> members = ring_members(problem.collective);
    if (members.empty())
        return std::nullopt;
    std::vector<std::vector<ProcessorId>> processors(topology.router_count());
    std::vector<bool> wanted(topology.router_count());
    for (const ProcessorId p : members) {
        const Processor& processor = topology.processor(p);
        if (processor.injection != processor.ejection)
            return std::nullopt;
        processors[processor.injection].push_back(p);
        wanted[processor.injection] = true;
    }
    const auto tree =
        spanning_tree(topology, topology.processor(members.front()).injection, std::move(wanted));
    if (!tree)
        return std::nullopt;
    Schedule schedule = circulate(problem, Tour(*tree, std::move(processors)).ring(), "construct, tour ring");
    if (!keeps_transfer_rules(problem, schedule))
        return std::nullopt;
    return schedule;
}

} // namespace nocturne
