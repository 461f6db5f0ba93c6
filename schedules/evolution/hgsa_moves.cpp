#include "schedules/evolution/hgsa_moves.hpp"

#include <algorithm>

namespace nocturne {
namespace {

constexpr unsigned most_tries = 4; // for a last hop whose source has the message in time

constexpr unsigned most_draws = 16; // of genes, for one in conflict

} // namespace

HgsaMutation::HgsaMutation(TimedConflicts& table, const HgsaMoves& moves)
    : table_(&table), encoding_(&table.encoding()), moves_(moves),
      received_by_(encoding_->problem().topology.processor_count())
{
    for (Gene gene = 0; gene < encoding_->genes().size(); ++gene)
        received_by_[encoding_->genes()[gene].receiver].push_back(gene);
}

void HgsaMutation::change(SplitMix64& random)
{
    log_.clear();
    old_steps_.clear();
    const Gene gene = choose(random);
    const double kind = random.uniform();
    if (kind < moves_.redraw)
        redraw(gene, random);
    else if (kind >= moves_.redraw + moves_.graft)
        retime(gene, random);
    else if (random.uniform() < moves_.swap)
        swap(gene, random);
    else
        graft(gene, random);
}

TimedConflicts::Gene HgsaMutation::choose(SplitMix64& random) const
{
    const auto genes = static_cast<std::uint32_t>(encoding_->genes().size());
    Gene gene = random.below(genes);
    if (moves_.focus > 0 && random.uniform() < moves_.focus)
        for (unsigned draws = 1; draws < most_draws && !table_->has_conflict(gene); ++draws)
            gene = random.below(genes);
    return gene;
}

void HgsaMutation::undo()
{
    for (; !log_.empty(); log_.pop_back()) {
        const auto& [gene, path, first_step] = log_.back();
        table_->change(gene, path, std::span(old_steps_).subspan(first_step, encoding_->hops(path)));
    }
}

void HgsaMutation::remember(Gene gene)
{
    const auto steps = table_->steps_of(gene);
    log_.push_back({gene, table_->chromosome().paths[gene], static_cast<std::uint32_t>(old_steps_.size())});
    old_steps_.insert(old_steps_.end(), steps.begin(), steps.end());
}

void HgsaMutation::set(Gene gene, TimedPath path, std::span<const std::uint16_t> steps)
{
    followers_.clear();
    if (moves_.follow && table_->sharers(gene) > 1)
        find_followers(gene);
    const std::uint32_t old_hops = encoding_->hops(table_->chromosome().paths[gene]);
    remember(gene);
    table_->change(gene, path, steps);
    for (const Gene follower : followers_)
        follow(follower, gene, old_hops);
}

/// Genes of the same message whose timed paths begin with the whole of this one's.
void HgsaMutation::find_followers(Gene gene)
{
    const MessageId message = encoding_->genes()[gene].message;
    const TimedPath path = table_->chromosome().paths[gene];
    const std::uint32_t hops = encoding_->hops(path);
    const auto steps = table_->steps_of(gene);
    const Gene first = encoding_->first_gene(message);
    for (Gene other = first; other < encoding_->first_gene(message + 1); ++other) {
        TimedPath ancestor = table_->chromosome().paths[other];
        const std::uint32_t other_hops = encoding_->hops(ancestor);
        if (other_hops <= hops || !std::equal(steps.begin(), steps.end(), table_->steps_of(other).begin()))
            continue;
        for (std::uint32_t more = other_hops - hops; more > 0; --more)
            ancestor = encoding_->parent(ancestor);
        if (ancestor == path)
            followers_.push_back(other);
    }
}

/// Puts the timed path of the leader, changed already, at the beginning of the gene's, if there is such a
/// path and time.
void HgsaMutation::follow(Gene gene, Gene leader, std::uint32_t old_hops)
{
    const auto steps = table_->steps_of(gene);
    const auto beginning = table_->steps_of(leader);
    if (steps[old_hops] <= beginning.back())
        return;
    suffix_.clear();
    TimedPath path = table_->chromosome().paths[gene];
    for (std::size_t more = steps.size() - old_hops; more > 0; --more) {
        suffix_.push_back(encoding_->last_arc(path));
        path = encoding_->parent(path);
    }
    path = table_->chromosome().paths[leader];
    for (; !suffix_.empty() && path != no_timed_path; suffix_.pop_back())
        path = encoding_->extended(path, suffix_.back());
    if (path == no_timed_path)
        return;
    followed_.assign(beginning.begin(), beginning.end());
    followed_.insert(followed_.end(), steps.begin() + old_hops, steps.end());
    remember(gene);
    table_->change(gene, path, followed_);
}

void HgsaMutation::redraw(Gene gene, SplitMix64& random)
{
    const auto& drawn = encoding_->genes()[gene];
    const TimedPath path = encoding_->first_path(drawn) + random.below(encoding_->path_count(drawn));
    steps_.resize(encoding_->hops(path));
    encoding_->random_steps(steps_, random);
    set(gene, path, steps_);
}

void HgsaMutation::retime(Gene gene, SplitMix64& random)
{
    const auto steps = table_->steps_of(gene);
    const std::size_t hop = random.below(static_cast<std::uint32_t>(steps.size()));
    const unsigned least = hop == 0 ? 0 : steps[hop - 1] + 1U;
    const unsigned end = hop + 1 == steps.size() ? encoding_->steps() : steps[hop + 1];
    steps_.assign(steps.begin(), steps.end());
    steps_[hop] = static_cast<std::uint16_t>(least + random.below(end - least));
    set(gene, table_->chromosome().paths[gene], steps_);
}

/// Chooses a last hop, and before it the timed path that the gene of the hop's source has: path and steps_,
/// which lack the step of the last hop. Returns no_timed_path if there is none.
TimedPath HgsaMutation::choose_graft(Gene gene, SplitMix64& random)
{
    const auto& grafted = encoding_->genes()[gene];
    const TimedPath path = encoding_->first_path(grafted) + random.below(encoding_->path_count(grafted));
    steps_.clear();
    if (encoding_->hops(path) == 1)
        return path;
    const auto arc = encoding_->last_arc(path);
    const Gene stock = encoding_->gene_of(grafted.message, encoding_->arcs()[arc].source);
    if (stock == TimedPathEncoding::no_gene)
        return no_timed_path;
    const auto steps = table_->steps_of(stock);
    steps_.assign(steps.begin(), steps.end());
    return encoding_->extended(table_->chromosome().paths[stock], arc);
}

void HgsaMutation::graft(Gene gene, SplitMix64& random)
{
    const TimedPath path = choose_graft(gene, random);
    const unsigned least = steps_.empty() ? 0 : steps_.back() + 1U;
    if (path == no_timed_path || least == encoding_->steps())
        return;
    steps_.push_back(static_cast<std::uint16_t>(least + random.below(encoding_->steps() - least)));
    set(gene, path, steps_);
}

/// Grafts with that step for the last hop, if the source can have the message before.
bool HgsaMutation::graft_at(Gene gene, std::uint16_t step, SplitMix64& random)
{
    for (unsigned tries = 0; tries < most_tries; ++tries) {
        const TimedPath path = choose_graft(gene, random);
        if (path == no_timed_path || (!steps_.empty() && steps_.back() >= step))
            continue;
        steps_.push_back(step);
        set(gene, path, steps_);
        return true;
    }
    return false;
}

void HgsaMutation::swap(Gene gene, SplitMix64& random)
{
    const auto& genes = received_by_[encoding_->genes()[gene].receiver];
    const Gene other = genes[random.below(static_cast<std::uint32_t>(genes.size()))];
    const std::uint16_t step = last_step(gene);
    const std::uint16_t other_step = last_step(other);
    if (other != gene && graft_at(gene, other_step, random) && !graft_at(other, step, random))
        undo();
}

} // namespace nocturne
