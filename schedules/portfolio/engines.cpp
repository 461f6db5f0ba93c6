#include "schedules/portfolio/engines.hpp"

#include "models/text/unknown_name.hpp"
#include "schedules/evolution/hgsa.hpp"
#include "schedules/evolution/mboa.hpp"
#include "schedules/evolution/umda.hpp"
#include "schedules/portfolio/construct.hpp"
#include "schedules/portfolio/doubling_engine.hpp"
#include "schedules/portfolio/even.hpp"
#include "schedules/portfolio/exact.hpp"
#include "schedules/portfolio/local.hpp"
#include "schedules/portfolio/reduce_broadcast.hpp"
#include "schedules/scatter/even_scatter.hpp"
#include "schedules/scatter/quotient_scatter.hpp"
#include "schedules/scatter/symmetry.hpp"

#include <array>
#include <stdexcept>
#include <vector>

namespace nocturne {
namespace {

constexpr std::array table{
    Engine{"construct", "constructions with a proof, without a search", suits_construction,
           search_construction, 1, true},
    Engine{"flow", "scatters from one processor and gathers to one, exactly", suits_flow, search_flow, 1,
           true},
    Engine{"local", "local search: an ejection pool for scatters, randomised construction for broadcasts",
           suits_local, search_local, 250'000, false, false, false, nullptr, memory_of_local},
    Engine{"symmetry", "scatters as symmetric as their network: orbits of messages are packed",
           suits_symmetric, search_symmetric},
    Engine{"exact", "whether there is a schedule at all: satisfiability of a formula (CaDiCaL)", suits_exact,
           search_exact, 2'500, false, false, false, is_tiny_for_exact},
    Engine{"umda",
           "the papers' evolution: chromosomes sampled from the marginal frequencies of the better ones",
           suits_umda, search_umda, 600'000, false, false, true},
    Engine{"mboa", "the papers' Bayesian optimization: decision trees learn from the best schedules so far",
           suits_mboa, search_mboa, 300'000, false, false, true},
    Engine{"hgsa", "the papers' parallel simulated annealing with crossover, for broadcasts hop by hop",
           suits_hgsa, search_hgsa, 1'500'000, false, false, true},
    // Last: the others draw what they drew before.
    Engine{"even", "large scatters: paths that load the network evenly, packed into fewer and fewer steps",
           suits_even_scatter, search_even, 100'000, false, true, false, nullptr, memory_of_even_scatter},
    Engine{"quotient", "large scatters on symmetric networks: one message of each orbit is packed so",
           suits_even_scatter, search_quotient_scatter, 100'000, false, true, false, nullptr,
           memory_of_even_scatter},
    Engine{"doubling", "all-reduce and scan in rounds that double what a sum has", suits_doubling,
           search_doubling, 1, true, false, false, nullptr, nullptr, true},
    Engine{"reduce-broadcast", "all-reduce in two halves: to one place, and from there",
           suits_reduce_broadcast, search_reduce_broadcast, 250'000, false, false, false, nullptr, nullptr,
           true},
};

} // namespace

std::span<const Engine> engines()
{
    return table;
}

const Engine& find_engine(std::string_view name)
{
    std::vector<std::string> names;
    for (const Engine& engine : engines()) {
        if (engine.name == name)
            return engine;
        names.emplace_back(engine.name);
    }
    throw std::invalid_argument(unknown_name("engine", name, names));
}

} // namespace nocturne
