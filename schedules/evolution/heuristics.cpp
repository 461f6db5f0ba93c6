#include "schedules/evolution/heuristics.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace nocturne {
namespace {

std::uint16_t random_path(const ChromosomeEncoding& encoding, ProcessorId source, ProcessorId receiver,
                          SplitMix64& random)
{
    return static_cast<std::uint16_t>(random.below(encoding.path_count(source, receiver)));
}

/// Anybody from whom there is a path: the origin at least.
ProcessorId random_source(const ChromosomeEncoding& encoding, ProcessorId receiver, SplitMix64& random)
{
    const auto processors = static_cast<std::uint32_t>(encoding.problem().topology.processor_count());
    for (;;) {
        const ProcessorId source = random.below(processors);
        if (source != receiver && encoding.path_count(source, receiver) > 0)
            return source;
    }
}

/// Messages that each processor sends in each step.
class SendTable {
public:
    SendTable(const ChromosomeEncoding& encoding, const Chromosome& chromosome)
        : steps_(encoding.steps()), sends_(encoding.problem().topology.processor_count() * steps_)
    {
        for (const Gene& gene : chromosome)
            ++(*this)(gene.source, gene.step);
    }
    std::uint32_t& operator()(ProcessorId sender, unsigned step)
    {
        return sends_[std::size_t{sender} * steps_ + step];
    }
    unsigned steps() const { return steps_; }

private:
    unsigned steps_;
    std::vector<std::uint32_t> sends_;
};

/// A step in which the sender has a port free, each as probable; steps() if there is none.
unsigned random_free_step(SendTable& sends, ProcessorId sender, unsigned limit, SplitMix64& random)
{
    unsigned free = 0;
    for (unsigned step = 0; step < sends.steps(); ++step)
        free += sends(sender, step) < limit ? 1 : 0;
    if (free == 0)
        return sends.steps();
    std::uint32_t skip = random.below(free);
    unsigned step = 0;
    while (sends(sender, step) >= limit || skip-- > 0)
        ++step;
    return step;
}

} // namespace

Chromosome random_chromosome(const ChromosomeEncoding& encoding, SplitMix64& random)
{
    Chromosome chromosome;
    chromosome.reserve(encoding.deliveries().size());
    for (const auto& [message, origin, receiver] : encoding.deliveries()) {
        const ProcessorId source =
            encoding.builds_trees() ? random_source(encoding, receiver, random) : origin;
        const std::uint16_t path = random_path(encoding, source, receiver, random);
        chromosome.push_back({static_cast<std::uint16_t>(source), path,
                              static_cast<std::uint16_t>(random.below(encoding.steps()))});
    }
    return chromosome;
}

void accelerate(const ChromosomeEncoding& encoding, Chromosome& chromosome, SplitMix64& random)
{
    SendTable sends(encoding, chromosome);
    SendTable unseen = sends;
    // The surplus is taken out before any of it finds a new step, so that there is room if there can be any.
    std::vector<std::uint32_t> surplus;
    for (std::uint32_t i = 0; i < chromosome.size(); ++i) {
        const Gene& gene = chromosome[i];
        std::uint32_t& all = sends(gene.source, gene.step);
        const std::uint32_t limit = encoding.send_limit(gene.source);
        if (all > limit && random.below(unseen(gene.source, gene.step)) < all - limit) {
            --all;
            surplus.push_back(i);
        }
        --unseen(gene.source, gene.step);
    }
    for (const std::uint32_t i : surplus) {
        Gene& gene = chromosome[i];
        const unsigned step = random_free_step(sends, gene.source, encoding.send_limit(gene.source), random);
        if (step < encoding.steps())
            gene.step = static_cast<std::uint16_t>(step);
        ++sends(gene.source, gene.step);
    }
}

void restore(const ChromosomeEncoding& encoding, Chromosome& chromosome, SplitMix64& random,
             RestoredPath path)
{
    constexpr unsigned never = std::numeric_limits<unsigned>::max();
    std::vector<unsigned> informed_before(encoding.problem().topology.processor_count(), never);
    std::vector<ProcessorId> informed;
    std::vector<std::uint32_t> order;
    const auto messages = static_cast<MessageId>(encoding.problem().collective.messages().size());
    for (MessageId message = 0; message < messages; ++message) {
        const std::uint32_t first = encoding.first_delivery(message);
        order.resize(encoding.first_delivery(message + 1) - first);
        if (order.empty())
            continue;
        std::iota(order.begin(), order.end(), first);
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return chromosome[a].step != chromosome[b].step ? chromosome[a].step < chromosome[b].step : a < b;
        });
        informed.assign(1, encoding.deliveries()[first].origin);
        informed_before[informed.front()] = 0;
        // Those who are informed before the step that is being looked at: informed[0 .. ready).
        std::uint32_t ready = 1;
        unsigned step = 0;
        for (const std::uint32_t i : order) {
            Gene& gene = chromosome[i];
            const ProcessorId receiver = encoding.deliveries()[i].receiver;
            if (gene.step != step) {
                step = gene.step;
                ready = static_cast<std::uint32_t>(informed.size());
            }
            if (informed_before[gene.source] > step) {
                std::uint32_t chosen = random.below(ready);
                while (encoding.path_count(informed[chosen], receiver) == 0)
                    chosen = (chosen + 1) % ready;
                gene.source = static_cast<std::uint16_t>(informed[chosen]);
                gene.path =
                    path == RestoredPath::random
                        ? random_path(encoding, gene.source, receiver, random)
                        : static_cast<std::uint16_t>(gene.path % encoding.path_count(gene.source, receiver));
            }
            informed.push_back(receiver);
            informed_before[receiver] = step + 1;
        }
        for (const ProcessorId processor : informed)
            informed_before[processor] = never;
    }
}

Chromosome building_blocks(const ChromosomeEncoding& encoding, SplitMix64& random)
{
    Chromosome chromosome = random_chromosome(encoding, random);
    for (Gene& gene : chromosome)
        gene.step = 0;
    return chromosome;
}

std::uint64_t count_inadmissible(const ChromosomeEncoding& encoding, const Chromosome& chromosome)
{
    constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> ready(encoding.problem().topology.processor_count());
    const auto deliveries = encoding.deliveries();
    std::uint64_t count = 0;
    for (std::uint32_t first = 0, end = 0; first < deliveries.size(); first = end) {
        std::fill(ready.begin(), ready.end(), never);
        end = encoding.first_delivery(deliveries[first].message + 1);
        ready[deliveries[first].origin] = 0;
        for (std::uint32_t i = first; i < end; ++i)
            ready[deliveries[i].receiver] = chromosome[i].step + 1U;
        for (std::uint32_t i = first; i < end; ++i)
            count += ready[chromosome[i].source] > chromosome[i].step ? 1 : 0;
    }
    return count;
}

} // namespace nocturne
