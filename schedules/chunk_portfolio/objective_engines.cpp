#include "schedules/chunk_portfolio/objective_engines.hpp"

#include "models/text/unknown_name.hpp"
#include "schedules/chunk_search/front.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <string>

namespace nocturne {
namespace {

bool suits_all(const LinkNetwork&, const ChunkRequest&, const Collective&)
{
    return true;
}

bool suits_constructions(const LinkNetwork&, const ChunkRequest& request, const Collective& one)
{
    return request.topology != nullptr && request.objective != ChunkObjective::steps && !reduces(one);
}

bool suits_questions(const LinkNetwork& network, const ChunkRequest&, const Collective& one)
{
    return network.node_count() * one.chunks.size() <= most_exact_places;
}

bool suits_halves(const LinkNetwork&, const ChunkRequest&, const Collective& one)
{
    return one.kind == CollectiveKind::allreduce;
}

/// An all-reduce goes up and down trees in steps; by time that is one of the ways of the engine `time`.
bool suits_trees(const LinkNetwork&, const ChunkRequest& request, const Collective& one)
{
    const bool is_all_reduce = one.kind == CollectiveKind::allreduce;
    if (request.objective != ChunkObjective::bandwidth &&
        is_all_reduce != (request.objective == ChunkObjective::steps))
        return false;
    return !owed_pairs(one);
}

/// Where steps count it is only what searches begin with.
bool suits_flows(const LinkNetwork&, const ChunkRequest&, const Collective& one)
{
    return owed_pairs(one).has_value();
}

constexpr std::array table{
    ObjectiveEngine{"construct", "constructions with a proof, and flows over their paths", EngineTurn::first,
                    suits_constructions, &ChunkEngines::construct},
    ObjectiveEngine{"exact", "small problems, in so many steps and rounds: satisfiability (CaDiCaL)",
                    EngineTurn::front, suits_questions},
    ObjectiveEngine{"halves", "all-reduce from reduce-scatter and allgather, each by satisfiability",
                    EngineTurn::front, suits_halves},
    ObjectiveEngine{"time", "what its far end lacks, whenever a link falls idle", EngineTurn::parts,
                    suits_all, &ChunkEngines::search_time},
    ObjectiveEngine{"trees", "packed spanning trees, at the bandwidth of the best cut", EngineTurn::parts,
                    suits_trees, &ChunkEngines::search_trees},
    ObjectiveEngine{"flow", "scatters and all-to-all over the flow of least congestion", EngineTurn::parts,
                    suits_flows, &ChunkEngines::search_flow},
};

} // namespace

std::span<const ObjectiveEngine> objective_engines()
{
    return table;
}

std::vector<const ObjectiveEngine*> engines_for(const LinkNetwork& network, const ChunkRequest& request,
                                                const Collective& one)
{
    std::vector<const ObjectiveEngine*> suitable;
    std::vector<std::string> names;
    for (const ObjectiveEngine& engine : table) {
        names.emplace_back(engine.name);
        if (request.engine != "auto" && request.engine != engine.name)
            continue;
        if (engine.suits(network, request, one))
            suitable.push_back(&engine);
        else if (request.engine != "auto")
            throw std::invalid_argument(fmt::format("engine {} cannot do {} on {} for {}", engine.name,
                                                    to_string(one.kind), network.name(),
                                                    to_string(request.objective)));
    }
    if (suitable.empty())
        throw std::invalid_argument(unknown_name("engine for an objective", request.engine, names));
    return suitable;
}

} // namespace nocturne
