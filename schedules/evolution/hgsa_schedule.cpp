// Between timed paths and schedules.
#include "schedules/evolution/hgsa_chromosome.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <tuple>

namespace nocturne {
namespace {

using Arc = TimedPathEncoding::Arc;

constexpr std::uint32_t never = ~0u;

struct TimedHop {
    std::uint16_t step;
    Arc arc;

    friend bool operator<(const TimedHop& a, const TimedHop& b)
    {
        return std::tie(a.step, a.arc) < std::tie(b.step, b.arc);
    }
};

/// The hops that bring each processor its first copy, in order of steps.
std::vector<TimedHop> earliest(std::vector<TimedHop> hops, std::span<const RelayArc> arcs, ProcessorId origin,
                               std::vector<std::uint32_t>& has_from)
{
    std::fill(has_from.begin(), has_from.end(), never);
    has_from[origin] = 0;
    std::sort(hops.begin(), hops.end());
    const auto is_redundant = [&](const TimedHop& hop) {
        const RelayArc& arc = arcs[hop.arc];
        if (has_from[arc.destination] != never || has_from[arc.source] > hop.step)
            return true;
        has_from[arc.destination] = hop.step + 1U;
        return false;
    };
    std::vector<TimedHop> kept; // std::remove_if() promises no order of its calls
    std::copy_if(hops.begin(), hops.end(), std::back_inserter(kept), std::not_fn(is_redundant));
    return kept;
}

} // namespace

std::vector<Step> TimedPathEncoding::decode(const TimedChromosome& chromosome) const
{
    std::vector<Step> result(steps_);
    std::vector<std::uint32_t> has_from(problem_->topology.processor_count());
    std::vector<bool> needed(problem_->topology.processor_count());
    for (MessageId id = 0; id < problem_->collective.messages().size(); ++id) {
        const Message& message = problem_->collective.messages()[id];
        std::vector<TimedHop> hops;
        for (std::uint32_t gene = first_gene_[id]; gene < first_gene_[id + 1]; ++gene) {
            TimedPath path = chromosome.paths[gene];
            for (std::uint32_t z = nodes_[path].hops; z-- > 0; path = parent(path))
                hops.push_back({chromosome.steps[genes_[gene].first_step + z], last_arc(path)});
        }
        std::vector<TimedHop> tree = earliest(std::move(hops), arcs_, message.origin, has_from);
        std::fill(needed.begin(), needed.end(), false);
        for (const ProcessorId receiver : message.receivers)
            needed[receiver] = true;
        for (auto hop = tree.rbegin(); hop != tree.rend();
             ++hop) // a processor that relays it later is needed
            if (needed[arcs_[hop->arc].destination])
                needed[arcs_[hop->arc].source] = true;
        for (const auto& [step, arc] : tree)
            if (const auto& [source, destination, path] = arcs_[arc]; needed[destination])
                result[step].push_back({id, source, destination, path});
    }
    while (!result.empty() && result.back().empty())
        result.pop_back();
    return result;
}

Arc TimedPathEncoding::find_arc(const Transfer& transfer) const
{
    for (Arc arc = first_arc_[transfer.source]; arc < first_arc_[transfer.source + 1]; ++arc)
        if (arcs_[arc].destination == transfer.destination && arcs_[arc].path == transfer.path)
            return arc;
    return no_arc;
}

TimedChromosome TimedPathEncoding::encode(const Schedule& schedule, TimedChromosome otherwise) const
{
    const std::size_t processors = problem_->topology.processor_count();
    const std::size_t messages = problem_->collective.messages().size();
    // For each message and processor the path over which it comes, and the step of its last hop.
    std::vector<std::pair<TimedPath, std::uint16_t>> over(messages * processors, {no_timed_path, 0});
    for (MessageId id = 0; id < messages; ++id) {
        const ProcessorId origin = problem_->collective.messages()[id].origin;
        over[list_of(id, origin)].first = lists_[list_of(id, origin)].first;
    }
    for (std::size_t step = 0; step < std::min<std::size_t>(schedule.steps.size(), steps_); ++step)
        for (const Transfer& transfer : schedule.steps[step]) {
            if (transfer.message >= messages || transfer.source >= processors ||
                transfer.destination >= processors)
                continue;
            const auto [before, before_step] = over[list_of(transfer.message, transfer.source)];
            auto& here = over[list_of(transfer.message, transfer.destination)];
            const Arc arc = find_arc(transfer);
            if (before == no_timed_path || here.first != no_timed_path || arc == no_arc ||
                (parent(before) != no_timed_path && before_step >= step))
                continue;
            here = {extended(before, arc), static_cast<std::uint16_t>(step)};
        }
    for (std::uint32_t gene = 0; gene < genes_.size(); ++gene) {
        TimedPath path = over[list_of(genes_[gene].message, genes_[gene].receiver)].first;
        if (path == no_timed_path)
            continue;
        otherwise.paths[gene] = path;
        for (std::uint32_t z = genes_[gene].most_hops; z-- > 0;)
            if (std::uint16_t& step = otherwise.steps[genes_[gene].first_step + z]; z >= hops(path)) {
                step = 0;
            } else {
                step = over[list_of(genes_[gene].message, nodes_[path].end)].second;
                path = parent(path);
            }
    }
    return otherwise;
}

} // namespace nocturne
