#include "schedules/slots/slot_packing.hpp"

#include "models/routing/random.hpp"
#include "models/topology/indices_by.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace nocturne {

namespace {

constexpr std::uint32_t nobody = ~0u;
constexpr unsigned placings_between_looks = 64; ///< at the clock
constexpr std::size_t lanes = 8;                ///< of sums that are compared at once
constexpr float infinite = std::numeric_limits<float>::infinity();

class Packer {
public:
    Packer(const PackingTable& table, const std::vector<PackingJob>& jobs)
        : units_(table.units), jobs_(jobs), places_(jobs.size()), weights_(jobs.size(), 1),
          owners_(std::size_t{table.resources} * units_, nobody), weight_there_(2 * owners_.size()),
          sums_((units_ + lanes - 1) / lanes * lanes, infinite), starts_(units_)
    {
        waiting_ = indices_by(jobs.size(), [&](std::uint32_t job) {
            return jobs[job].count * jobs[job].options.front().size();
        });
    }

    bool run(const PackingEffort& effort)
    {
        std::uint64_t cells = 0;
        for (std::uint64_t placings = 0; !waiting_.empty(); ++placings) {
            if (placings == effort.placings || cells > effort.cells ||
                (placings % placings_between_looks == 0 && effort.end.has_come()))
                return false;
            const std::uint32_t job = waiting_.back();
            waiting_.pop_back();
            const std::optional<PackingPlace> place = cheapest_place(job, cells);
            if (!place)
                return false;
            evict_from(jobs_[job].options[place->option], place->starts);
            places_[job] = *place;
            set(job, job);
        }
        return true;
    }

    std::vector<PackingPlace> places() &&
    {
        for (PackingPlace& place : places_)
            std::ranges::sort(place.starts);
        return std::move(places_);
    }

private:
    std::size_t cell(const PackingCell& cell, std::uint32_t start) const
    {
        return std::size_t{cell.resource} * units_ + (start + cell.after_units) % units_;
    }

    /// What each start of an option costs, into sums_.
    void add_up(const PackingOption& option)
    {
        float* const sums = sums_.data();
        std::fill_n(sums, units_, 0.0F);
        for (const PackingCell& each : option) {
            // Every row is there twice, so that what comes round is one piece.
            const float* const row =
                weight_there_.data() + 2 * std::size_t{each.resource} * units_ + each.after_units % units_;
            for (std::uint32_t start = 0; start < units_; ++start)
                sums[start] += row[start];
        }
    }

    /// As std::ranges::min, which compilers do not vectorize for numbers with a NaN.
    float least_sum() const
    {
        std::array<float, lanes> least;
        std::copy_n(sums_.begin(), lanes, least.begin());
        for (std::size_t at = lanes; at < sums_.size(); at += lanes)
            for (std::size_t lane = 0; lane < lanes; ++lane)
                least[lane] = sums_[at + lane] < least[lane] ? sums_[at + lane] : least[lane];
        return std::ranges::min(least);
    }

    /// Any of those that meet the least weight; nothing if the job's own starts are always in each other's
    /// way.
    std::optional<PackingPlace> cheapest_place(std::uint32_t job, std::uint64_t& cells)
    {
        std::optional<PackingPlace> best;
        float least = infinite;
        std::uint32_t ties = 0;
        for (std::uint32_t id = 0; id < jobs_[job].options.size(); ++id) {
            const PackingOption& option = jobs_[job].options[id];
            cells += option.size() * units_;
            add_up(option);
            const bool is_single = jobs_[job].count == 1;
            const float cost = is_single ? least_sum() : choose_starts(option, jobs_[job].count);
            if (cost > least || cost == infinite)
                continue;
            const auto alike = is_single ? static_cast<std::uint32_t>(std::ranges::count(sums_, cost)) : 1U;
            ties = (cost < least ? 0 : ties) + alike;
            least = cost;
            if (random_.below(ties) >= alike)
                continue;
            best = {id, is_single ? std::vector{start_that_costs(cost, random_.below(alike))} : chosen_};
        }
        return best;
    }

    /// The one behind so many others that cost the same.
    std::uint32_t start_that_costs(float cost, std::uint32_t others) const
    {
        std::uint32_t start = 0;
        while (sums_[start] != cost || others-- > 0)
            ++start;
        return start;
    }

    /// So many starts that are not in each other's way into chosen_, the cheapest first. Their cost.
    float choose_starts(const PackingOption& option, std::uint32_t count)
    {
        std::iota(starts_.begin(), starts_.end(), 0u);
        std::ranges::sort(starts_, {}, [&](std::uint32_t start) { return sums_[start]; });
        chosen_.clear();
        float cost = 0;
        for (const std::uint32_t start : starts_) {
            const bool is_free = std::ranges::none_of(chosen_, [&](std::uint32_t other) {
                return meet(option, (start + units_ - other) % units_);
            });
            if (!is_free)
                continue;
            chosen_.push_back(start);
            cost += sums_[start];
            if (chosen_.size() == count)
                return cost;
        }
        return infinite;
    }

    /// Do two starts of an option that are so far apart want the same cell?
    bool meet(const PackingOption& option, std::uint32_t apart) const
    {
        for (const PackingCell& a : option)
            for (const PackingCell& b : option)
                if (a.resource == b.resource && (a.after_units + apart) % units_ == b.after_units % units_)
                    return true;
        return false;
    }

    void evict_from(const PackingOption& option, const std::vector<std::uint32_t>& starts)
    {
        for (const std::uint32_t start : starts)
            for (const PackingCell& each : option) {
                const std::uint32_t other = owners_[cell(each, start)];
                if (other == nobody)
                    continue;
                set(other, nobody);
                weights_[other] += 1;
                const auto at = random_.below(static_cast<std::uint32_t>(waiting_.size() + 1));
                waiting_.insert(waiting_.begin() + at, other);
            }
    }

    /// The job's cells are now the owner's: its own, or nobody's.
    void set(std::uint32_t job, std::uint32_t owner)
    {
        const PackingPlace& place = places_[job];
        const float weight = owner == nobody ? 0.0F : weights_[job];
        for (const std::uint32_t start : place.starts)
            for (const PackingCell& each : jobs_[job].options[place.option]) {
                owners_[cell(each, start)] = owner;
                const std::size_t first =
                    2 * std::size_t{each.resource} * units_ + (start + each.after_units) % units_;
                weight_there_[first] = weight_there_[first + units_] = weight;
            }
    }

    const std::uint32_t units_;
    const std::vector<PackingJob>& jobs_;
    std::vector<PackingPlace> places_;
    std::vector<float> weights_;         ///< by job: 1, and 1 for each place that it has lost
    std::vector<std::uint32_t> owners_;  ///< by resource, then unit
    std::vector<float> weight_there_;    ///< of the owner, each row twice
    std::vector<std::uint32_t> waiting_; ///< for a place, the next one last
    std::vector<float> sums_;            ///< by start; infinite behind the last one, to whole lanes
    std::vector<std::uint32_t> starts_;
    std::vector<std::uint32_t> chosen_;
    SplitMix64 random_{1};
};

} // namespace

std::optional<std::vector<PackingPlace>> pack(const PackingTable& table, const std::vector<PackingJob>& jobs,
                                              const PackingEffort& effort)
{
    Packer packer(table, jobs);
    if (!packer.run(effort))
        return std::nullopt;
    return std::move(packer).places();
}

} // namespace nocturne
