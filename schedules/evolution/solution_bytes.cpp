#include "schedules/evolution/solution_bytes.hpp"

namespace nocturne {

Chromosome extract_chromosome(std::span<const std::uint8_t>& bytes, const ChromosomeEncoding& encoding)
{
    const auto deliveries = encoding.deliveries();
    Chromosome genes(deliveries.size());
    extract_values(bytes, genes);
    const std::size_t processors = encoding.problem().topology.processor_count();
    for (std::size_t i = 0; i < genes.size(); ++i) {
        const auto [source, path, step] = genes[i];
        const auto [message, origin, receiver] = deliveries[i];
        const bool is_sender =
            encoding.builds_trees() ? source < processors && source != receiver : source == origin;
        if (!is_sender || step >= encoding.steps() || path >= encoding.path_count(source, receiver))
            throw std::runtime_error("a solution of another problem");
    }
    return genes;
}

} // namespace nocturne
