#include "schedules/evolution/diversity.hpp"

#include <algorithm>

namespace nocturne {

double Diversity::of(std::span<const Chromosome* const> population)
{
    std::size_t paths = 1;
    for (const Chromosome* const chromosome : population)
        for (const Gene& gene : *chromosome)
            paths = std::max<std::size_t>(paths, gene.path + 1U);
    const std::size_t steps = encoding_->steps();
    const bool has_sources = encoding_->builds_trees();
    const std::size_t sources = has_sources ? encoding_->problem().topology.processor_count() : 1;
    frequency_.resize(std::max(frequency_.size(), sources * paths * steps));
    const auto frequency = [&](const Gene& gene) -> std::uint32_t& {
        return frequency_[((has_sources ? gene.source : 0) * paths + gene.path) * steps + gene.step];
    };
    std::uint64_t alike = 0; // ordered pairs of solutions, each with itself among them
    const std::size_t genes = encoding_->deliveries().size();
    for (std::size_t i = 0; i < genes; ++i) {
        for (const Chromosome* const chromosome : population)
            alike += 2 * frequency((*chromosome)[i])++ + 1;
        for (const Chromosome* const chromosome : population)
            frequency((*chromosome)[i]) = 0;
    }
    const double pairs =
        static_cast<double>(genes) * static_cast<double>(population.size() * population.size());
    return 1 - static_cast<double>(alike) / pairs;
}

} // namespace nocturne
