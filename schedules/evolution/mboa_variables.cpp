#include "schedules/evolution/mboa_variables.hpp"

#include "models/routing/random.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

/// Genes with resources in common, whatever their paths, in the direct encoding: who may use what is an index
/// from resources to deliveries.
class Neighbours {
public:
    explicit Neighbours(const ChromosomeEncoding& encoding)
        : encoding_(encoding), users_(encoding.resource_count()), seen_(encoding.deliveries().size(), 0)
    {
        for (std::uint32_t i = 0; i < encoding.deliveries().size(); ++i)
            for_each_resource(i, [&](StepResource resource) {
                if (users_[resource].empty() || users_[resource].back() != i)
                    users_[resource].push_back(i);
            });
    }

    /// Those of the delivery, each once, not the delivery itself.
    void list(std::uint32_t delivery, std::vector<std::uint32_t>& neighbours)
    {
        neighbours.clear();
        ++calls_;
        seen_[delivery] = calls_;
        for_each_resource(delivery, [&](StepResource resource) {
            for (const std::uint32_t other : users_[resource])
                if (std::exchange(seen_[other], calls_) != calls_)
                    neighbours.push_back(other);
        });
    }

private:
    template <class Visit>
    void for_each_resource(std::uint32_t delivery, Visit&& visit)
    {
        const auto& [message, origin, receiver] = encoding_.deliveries()[delivery];
        const std::uint32_t paths = encoding_.path_count(origin, receiver);
        for (std::uint32_t path = 0; path < paths; ++path)
            for (const StepResource resource : encoding_.resources(
                     delivery, {static_cast<std::uint16_t>(origin), static_cast<std::uint16_t>(path), 0}))
                visit(resource);
    }

    const ChromosomeEncoding& encoding_;
    std::vector<std::vector<std::uint32_t>> users_; ///< by resource
    std::vector<std::uint32_t> seen_;               ///< by delivery: the last call that listed it
    std::uint32_t calls_ = 0;
};

} // namespace

std::uint32_t variables_per_gene(const ChromosomeEncoding& encoding)
{
    return encoding.builds_trees() ? 3 : 2;
}

CategoricalData to_data(const ChromosomeEncoding& encoding, std::span<const Chromosome* const> chromosomes)
{
    const std::uint32_t width = variables_per_gene(encoding);
    const auto rows = static_cast<std::uint32_t>(chromosomes.size());
    CategoricalData data{rows, {}};
    data.values.resize(encoding.deliveries().size() * width * rows);
    for (std::uint32_t row = 0; row < rows; ++row) {
        std::uint16_t* value = data.values.data() + row;
        for (const Gene& gene : *chromosomes[row]) {
            value[0] = gene.step;
            value[rows] = gene.path;
            if (width == 3)
                value[std::size_t{2} * rows] = gene.source;
            value += std::size_t{width} * rows;
        }
    }
    return data;
}

void from_row(const ChromosomeEncoding& encoding, std::span<const std::uint16_t> row, Chromosome& chromosome)
{
    const std::uint32_t width = variables_per_gene(encoding);
    const auto deliveries = encoding.deliveries();
    chromosome.resize(deliveries.size());
    const std::uint16_t* value = row.data();
    for (std::uint32_t i = 0; i < deliveries.size(); ++i, value += width) {
        const auto& [message, origin, receiver] = deliveries[i];
        ProcessorId source = width == 3 ? value[2] : origin;
        std::uint32_t paths = source == receiver ? 0 : encoding.path_count(source, receiver);
        if (paths == 0) {
            source = origin;
            paths = encoding.path_count(source, receiver);
        }
        chromosome[i] = {static_cast<std::uint16_t>(source), static_cast<std::uint16_t>(value[1] % paths),
                         value[0]};
    }
}

CandidateParents conflict_candidates(const ChromosomeEncoding& encoding, std::uint32_t most,
                                     std::uint64_t seed)
{
    const std::uint32_t width = variables_per_gene(encoding);
    const auto count = static_cast<std::uint32_t>(encoding.deliveries().size());
    SplitMix64 random(seed);
    CandidateParents candidates{{0}, {}};
    std::optional<Neighbours> direct;
    if (!encoding.builds_trees())
        direct.emplace(encoding);
    std::vector<std::uint32_t> others;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (direct) {
            direct->list(i, others);
        } else {
            // Sources are free, so that any two genes can meet.
            others.clear();
            for (std::uint32_t other = 0; other < count; ++other)
                if (other != i)
                    others.push_back(other);
        }
        if (others.size() > most) {
            for (std::uint32_t k = 0; k < most; ++k)
                std::swap(others[k], others[k + random.below(static_cast<std::uint32_t>(others.size()) - k)]);
            others.resize(most);
        }
        for (std::uint32_t own = 0; own < width; ++own) {
            for (const std::uint32_t other : others)
                for (std::uint32_t k = 0; k < width; ++k)
                    candidates.of.push_back(other * width + k);
            for (std::uint32_t k = 0; k < width; ++k)
                if (k != own)
                    candidates.of.push_back(i * width + k);
            candidates.first.push_back(static_cast<std::uint32_t>(candidates.of.size()));
        }
    }
    return candidates;
}

} // namespace nocturne
