#include "schedules/evolution/umda_mutation.hpp"

#include <algorithm>
#include <limits>

namespace nocturne {
namespace {

/// Keeps the candidate with the fewest conflicts, of equals any with the same probability.
class Best {
public:
    explicit Best(SplitMix64& random) : random_(&random) {}
    bool is_beaten_by(std::uint64_t conflicts)
    {
        if (conflicts > least_)
            return false;
        equal_ = conflicts == least_ ? equal_ + 1 : 1;
        least_ = conflicts;
        return random_->below(equal_) == 0;
    }

private:
    SplitMix64* random_;
    std::uint64_t least_ = std::numeric_limits<std::uint64_t>::max();
    std::uint32_t equal_ = 0;
};

} // namespace

UmdaMutation::UmdaMutation(const ChromosomeEncoding& encoding, const UmdaParameters& parameters)
    : encoding_(&encoding), parameters_(&parameters), sent_by_(encoding.problem().topology.processor_count())
{
    const auto deliveries = encoding.deliveries();
    for (std::uint32_t i = 0; i < deliveries.size(); ++i)
        sent_by_[deliveries[i].origin].push_back(i);
}

void UmdaMutation::mutate(ConflictTable& table, SplitMix64& random)
{
    table_ = &table;
    random_ = &random;
    const std::uint32_t delivery = choose_delivery();
    const std::uint16_t own = table.gene(delivery).step;
    if (!encoding_->builds_trees() && !parameters_->slot_swap) {
        undo_.clear();
        move(delivery, own);
        return;
    }
    const unsigned steps = encoding_->steps();
    if (parameters_->slots_tested == 1) { // nothing to choose from
        undo_.clear();
        move(delivery, static_cast<std::uint16_t>(random.below(steps)));
        return;
    }
    const bool all = parameters_->slots_tested == 0 || parameters_->slots_tested >= steps;
    Best best(random);
    best_.clear();
    for (unsigned look = 0; look < (all ? steps : parameters_->slots_tested); ++look) {
        undo_.clear();
        move(delivery, static_cast<std::uint16_t>(all ? look : random.below(steps)));
        if (undo_.empty())
            continue;
        if (best.is_beaten_by(table.conflicts())) {
            best_.clear();
            for (const auto& [changed, before] : undo_)
                best_.emplace_back(changed, table.gene(changed));
        }
        std::for_each(undo_.rbegin(), undo_.rend(),
                      [&](const Change& change) { table.change(change.first, change.second); });
    }
    for (const auto& [changed, gene] : best_)
        table.change(changed, gene);
}

/// From a random one on the next in conflict, or just a random one.
std::uint32_t UmdaMutation::choose_delivery()
{
    const auto count = static_cast<std::uint32_t>(encoding_->deliveries().size());
    const std::uint32_t first = random_->below(count);
    if (random_->uniform() >= parameters_->conflicting_mutation)
        return first;
    std::uint32_t delivery = first;
    while (table_->conflicts_of(delivery) == 0) {
        delivery = delivery + 1 == count ? 0 : delivery + 1;
        if (delivery == first)
            break;
    }
    return delivery;
}

void UmdaMutation::change(std::uint32_t delivery, const Gene& gene)
{
    if (gene == table_->gene(delivery))
        return;
    undo_.emplace_back(delivery, table_->gene(delivery));
    table_->change(delivery, gene);
}

void UmdaMutation::move(std::uint32_t delivery, std::uint16_t step)
{
    if (encoding_->builds_trees())
        graft(delivery, step);
    else
        swap_slots(delivery, step);
}

void UmdaMutation::swap_slots(std::uint32_t delivery, std::uint16_t step)
{
    const Gene before = table_->gene(delivery);
    std::uint32_t other = delivery;
    if (step != before.step) {
        std::uint32_t sent = 0;
        for (const std::uint32_t i : sent_by_[before.source])
            if (table_->gene(i).step == step && random_->below(++sent) == 0)
                other = i;
        if (sent < encoding_->send_limit(before.source))
            other = delivery;
        change(delivery, {before.source, before.path, step});
    }
    if (other != delivery) {
        const Gene gene = table_->gene(other);
        change(other, {gene.source, gene.path, before.step});
    }
    if (!parameters_->path_mutation)
        return;
    change(delivery, other_path(delivery, before));
    if (other != delivery)
        change(other, other_path(other, {}));
}

/// The path with the fewest conflicts, unless the gene is then `excluded`.
Gene UmdaMutation::other_path(std::uint32_t delivery, Gene excluded)
{
    Gene gene = table_->gene(delivery);
    Gene chosen = gene;
    Best best(*random_);
    const std::uint32_t paths =
        encoding_->path_count(gene.source, encoding_->deliveries()[delivery].receiver);
    for (std::uint32_t path = 0; path < paths; ++path) {
        gene.path = static_cast<std::uint16_t>(path);
        // An only path is not tested.
        if (gene != excluded && best.is_beaten_by(paths > 1 ? table_->conflicts_with(delivery, gene) : 0))
            chosen = gene;
    }
    return chosen;
}

/// Has `source` the message of the delivery before the step, and without the delivery?
bool UmdaMutation::may_send(ProcessorId source, std::uint32_t delivery, std::uint16_t step) const
{
    const auto deliveries = encoding_->deliveries();
    const MessageId message = deliveries[delivery].message;
    if (source == deliveries[delivery].origin)
        return true;
    for (std::uint32_t i = encoding_->first_delivery(message); i < encoding_->first_delivery(message + 1);
         ++i)
        if (deliveries[i].receiver == source)
            return i != delivery && table_->gene(i).step < step;
    return false;
}

/// The source and path with the fewest conflicts in the step; without path mutation the old ones, or where
/// these are not admissible random ones. Never the gene itself, if there is another.
Gene UmdaMutation::other_source(std::uint32_t delivery, std::uint16_t step)
{
    const auto deliveries = encoding_->deliveries();
    const ChromosomeEncoding::Delivery& owed = deliveries[delivery];
    const MessageId message = owed.message;
    const Gene own = table_->gene(delivery);
    if (!parameters_->path_mutation && may_send(own.source, delivery, step))
        return {own.source, own.path, step};
    Gene chosen = own;
    Best best(*random_);
    const auto test = [&](ProcessorId source) {
        const std::uint32_t paths = encoding_->path_count(source, owed.receiver);
        for (std::uint32_t path = 0; path < paths; ++path) {
            const Gene gene{static_cast<std::uint16_t>(source), static_cast<std::uint16_t>(path), step};
            const bool tests = parameters_->path_mutation;
            if (gene != own && best.is_beaten_by(tests ? table_->conflicts_with(delivery, gene) : 0))
                chosen = gene;
        }
    };
    test(owed.origin);
    for (std::uint32_t i = encoding_->first_delivery(message); i < encoding_->first_delivery(message + 1);
         ++i)
        if (i != delivery && table_->gene(i).step < step)
            test(deliveries[i].receiver);
    return chosen;
}

void UmdaMutation::graft(std::uint32_t delivery, std::uint16_t step)
{
    const auto& [message, origin, receiver] = encoding_->deliveries()[delivery];
    change(delivery, other_source(delivery, step));
    for (std::uint32_t i = encoding_->first_delivery(message); i < encoding_->first_delivery(message + 1);
         ++i) {
        const Gene gene = table_->gene(i);
        if (gene.source == receiver && gene.step <= step)
            change(i, other_source(i, gene.step));
    }
}

} // namespace nocturne
