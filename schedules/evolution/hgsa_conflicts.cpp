#include "schedules/evolution/hgsa_conflicts.hpp"

#include <algorithm>
#include <utility>

namespace nocturne {

TimedConflicts::TimedConflicts(const TimedPathEncoding& encoding, TimedChromosome chromosome)
    : encoding_(&encoding), chromosome_(std::move(chromosome)), arcs_(encoding.hop_count()),
      uses_(encoding.problem().collective.messages().size() * encoding.arcs().size() * encoding.steps()),
      load_(encoding.resource_count() * encoding.steps()), count_(encoding.genes().size())
{
    for (Gene gene = 0; gene < encoding.genes().size(); ++gene) {
        const auto& [message, receiver, most_hops, first_step] = encoding.genes()[gene];
        TimedPath path = chromosome_.paths[gene];
        for (std::uint32_t hop = first_step + encoding.hops(path); hop-- > first_step;
             path = encoding.parent(path)) {
            arcs_[hop] = encoding.last_arc(path);
            take(message, arcs_[hop], chromosome_.steps[hop]);
        }
    }
}

void TimedConflicts::take(MessageId message, std::uint32_t arc, std::uint32_t step)
{
    if (uses_[use_of(message, arc, step)]++ > 0)
        return;
    for (const auto resource : encoding_->resources(arc)) {
        std::uint32_t& load = load_[std::size_t{resource} * encoding_->steps() + step];
        const std::uint32_t capacity = encoding_->capacity(resource);
        conflicts_ += capacity == 1 ? load : load >= capacity ? 1 : 0;
        ++load;
    }
}

void TimedConflicts::leave(MessageId message, std::uint32_t arc, std::uint32_t step)
{
    if (--uses_[use_of(message, arc, step)] > 0)
        return;
    for (const auto resource : encoding_->resources(arc)) {
        std::uint32_t& load = load_[std::size_t{resource} * encoding_->steps() + step];
        const std::uint32_t capacity = encoding_->capacity(resource);
        --load;
        conflicts_ -= capacity == 1 ? load : load >= capacity ? 1 : 0;
    }
}

bool TimedConflicts::has_conflict(Gene gene) const
{
    count_.add_gene();
    const std::uint32_t last =
        encoding_->genes()[gene].first_step + encoding_->hops(chromosome_.paths[gene]) - 1;
    const auto resources = encoding_->resources(arcs_[last]);
    return std::any_of(resources.begin(), resources.end(), [&](TimedPathEncoding::Resource resource) {
        return load_[std::size_t{resource} * encoding_->steps() + chromosome_.steps[last]] >
               encoding_->capacity(resource);
    });
}

void TimedConflicts::change(Gene gene, TimedPath path, std::span<const std::uint16_t> steps)
{
    const auto& [message, receiver, most_hops, first_step] = encoding_->genes()[gene];
    const std::uint32_t hops = encoding_->hops(path);
    const std::uint32_t old_hops = encoding_->hops(chromosome_.paths[gene]);
    for (std::uint32_t z = hops; z < old_hops; ++z) {
        leave(message, arcs_[first_step + z], chromosome_.steps[first_step + z]);
        chromosome_.steps[first_step + z] = 0;
    }
    chromosome_.paths[gene] = path;
    for (std::uint32_t z = hops; z-- > 0; path = encoding_->parent(path)) {
        const std::uint32_t hop = first_step + z;
        const std::uint32_t arc = encoding_->last_arc(path);
        if (z < old_hops) {
            if (arc == arcs_[hop] && steps[z] == chromosome_.steps[hop])
                continue;
            leave(message, arcs_[hop], chromosome_.steps[hop]);
        }
        take(message, arc, steps[z]);
        arcs_[hop] = arc;
        chromosome_.steps[hop] = steps[z];
    }
}

bool TimedConflicts::differs(const TimedChromosome& chromosome, Gene gene) const
{
    const auto steps = steps_of(gene);
    return chromosome.paths[gene] != chromosome_.paths[gene] ||
           !std::equal(steps.begin(), steps.end(),
                       chromosome.steps.begin() + encoding_->genes()[gene].first_step);
}

void TimedConflicts::assign(const TimedChromosome& chromosome, Gene gene)
{
    const TimedPath path = chromosome.paths[gene];
    change(gene, path,
           std::span(chromosome.steps).subspan(encoding_->genes()[gene].first_step, encoding_->hops(path)));
}

void TimedConflicts::assign(const TimedChromosome& chromosome)
{
    for (Gene gene = 0; gene < encoding_->genes().size(); ++gene)
        if (differs(chromosome, gene))
            assign(chromosome, gene);
}

} // namespace nocturne
