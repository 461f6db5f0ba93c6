#include "tests/schedules/evolution/count_conflicts.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace nocturne::test {

std::uint64_t count_conflicts(const ChromosomeEncoding& encoding, const Chromosome& chromosome)
{
    std::uint64_t conflicts = 0;
    std::map<std::pair<unsigned, StepResource>, std::uint32_t> uses;
    for (std::uint32_t i = 0; i < chromosome.size(); ++i) {
        const auto own = encoding.resources(i, chromosome[i]);
        for (const StepResource resource : own) {
            const std::uint32_t capacity = encoding.capacity(resource);
            if (capacity > 1 && ++uses[{chromosome[i].step, resource}] > capacity)
                ++conflicts;
        }
        for (std::uint32_t j = 0; j < i; ++j) {
            const auto others = encoding.resources(j, chromosome[j]);
            const auto is_shared = [&](StepResource resource) {
                return encoding.capacity(resource) == 1 &&
                       std::find(others.begin(), others.end(), resource) != others.end();
            };
            if (chromosome[i].step == chromosome[j].step && std::any_of(own.begin(), own.end(), is_shared))
                ++conflicts;
        }
    }
    return conflicts;
}

std::uint64_t count_conflicts(const TimedPathEncoding& encoding, const TimedChromosome& chromosome)
{
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> transfers; // step, message, arc
    for (std::uint32_t i = 0; i < encoding.genes().size(); ++i) {
        const auto& [message, receiver, most_hops, first_step] = encoding.genes()[i];
        TimedPath path = chromosome.paths[i];
        for (std::uint32_t z = encoding.hops(path); z-- > 0; path = encoding.parent(path))
            transfers.emplace(chromosome.steps[first_step + z], message, encoding.last_arc(path));
    }
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> load; // resource, step
    for (const auto& [step, message, arc] : transfers)
        for (const auto resource : encoding.resources(arc))
            ++load[{resource, step}];
    std::uint64_t conflicts = 0;
    for (const auto& [place, count] : load) {
        const std::uint64_t capacity = encoding.capacity(place.first);
        conflicts += capacity == 1 ? count * (count - 1) / 2 : count > capacity ? count - capacity : 0;
    }
    return conflicts;
}

} // namespace nocturne::test
