#include "sim/audit/audit.hpp"

#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/collective/bandwidth.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "sim/audit/limit_text.hpp"
#include "sim/audit/row_checks.hpp"
#include "sim/audit/usual_algorithms.hpp"
#include "sim/report/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {
namespace {

class RunAudit {
public:
    RunAudit(const MeasuredRun& run, const LinkNetwork& network, const Collective& collective,
             const AuditSetting& setting)
        : run_(run), network_(network), collective_(collective), setting_(setting),
          members_(members_in(collective)), end_{.stop = setting.stop}
    {
    }

    void add_to(AuditResult& result)
    {
        number_ = result.runs.size() + 1;
        find_bounds();
        const std::vector<std::string> notes =
            notes_on_rows(run_, collective_.kind, static_cast<std::uint32_t>(members_.size()));
        for (std::size_t i = 0; i < run_.rows.size(); ++i)
            rows_.push_back(row_of(run_.rows[i], notes[i]));
        for (std::size_t i = 0; i < rows_.size(); ++i)
            if (!run_.rows[i].is_wrong && (best_ == nullptr || rows_[i].share_percent > best_->share_percent))
                best_ = &rows_[i];
        if (best_ != nullptr)
            find_limits();
        result.runs.push_back(audited());
        std::ranges::move(limits_, std::back_inserter(result.limits));
        std::ranges::copy(rows_, std::back_inserter(result.rows));
        if (const std::string note = note_on_places(run_); !note.empty())
            result.remarks.push_back(fmt::format("run {}: {}", number_, note));
        if (run_.is_kind_inferred)
            result.remarks.push_back(fmt::format("run {}: the log names no collective: {} by its columns and "
                                                 "bandwidths (--collective says another)",
                                                 number_, to_string(collective_.kind)));
    }

private:
    void find_bounds()
    {
        bounds_ = best_chunk_bounds(network_, collective_, std::nullopt, BoundScope::any_parts, end_);
        if (!bounds_.steps)
            throw std::invalid_argument(fmt::format(
                "{}: a receiver cannot be reached, or there is nothing to deliver", network_.name()));
        for (const AlgorithmLimit& limit :
             usual_algorithms(network_, collective_.kind, members_, setting_.cycle_ns, end_)) {
            algorithms_.push_back(limit);
            if (limit.algorithm == adding)
                adding_ = limit;
        }
        if (setting_.switches_add && !adding_)
            throw std::invalid_argument(fmt::format(
                "--switches-add: only of an all-reduce on a network with switches, not of {} on {}",
                to_string(collective_.kind), network_.name()));
    }

    double contributed(std::uint64_t size) const
    {
        return contributed_bytes(run_.size_meaning, collective_.kind, static_cast<double>(size),
                                 static_cast<std::uint32_t>(members_.size()));
    }

    /// Bytes that count for the bus bandwidth.
    double bus_bytes(std::uint64_t size) const
    {
        return algorithm_bytes(collective_, contributed(size)) * bus_factor(collective_);
    }

    /// The bound for this size.
    Bound bound_of(std::uint64_t size) const
    {
        const AlphaBeta cost{.bytes_per_weight =
                                 contributed(size) / static_cast<double>(largest_contribution(collective_)),
                             .start_cycles = setting_.start_cycles};
        const Bounds in_time = with_time(bounds_, network_, collective_, cost, BoundScope::any_parts);
        if (!in_time.cycles)
            throw std::logic_error("no bound in time");
        return *in_time.cycles;
    }

    /// GB/s: of so many bytes a cycle.
    double rate_of(double bytes_per_cycle) const { return bytes_per_cycle / setting_.cycle_ns; }

    double least_ns(std::uint64_t size) const
    {
        if (setting_.switches_add)
            return bus_bytes(size) / rate_of(adding_->bus_bytes_per_cycle);
        return bound_of(size).cycles * setting_.cycle_ns;
    }

    AuditRow row_of(const LogRow& row, const std::string& note) const
    {
        const double least_us = least_ns(row.size) / 1e3;
        return {.run = number_,
                .bytes = row.size,
                .place = row.place,
                .time_us = row.time_us,
                .least_time_us = least_us,
                .bus_bandwidth = bus_bytes(row.size) / row.time_us / 1e3,
                .share_percent = 100 * least_us / row.time_us,
                .note = note,
                .line = row.line};
    }

    double bound_bandwidth() const { return 100 * best_->bus_bandwidth / best_->share_percent; }

    void add_limit(std::string what, double bandwidth, std::string why)
    {
        limits_.push_back(
            {number_, std::move(what), bandwidth, 100 * best_->bus_bandwidth / bandwidth, std::move(why)});
    }

    void find_limits()
    {
        const Bound bound = bound_of(best_->bytes);
        reason_ = setting_.switches_add ? adding_->why : limit_text(bound, network_, setting_.cycle_ns);
        add_limit(setting_.switches_add ? "bound, switches add" : "bound", bound_bandwidth(), reason_);
        // No algorithm has more than all of them.
        const double without_addition = bus_bytes(best_->bytes) / (bound.cycles * setting_.cycle_ns);
        for (const AlgorithmLimit& limit : algorithms_)
            if (!setting_.switches_add || limit.algorithm != adding)
                add_limit(limit.algorithm,
                          limit.algorithm == adding
                              ? rate_of(limit.bus_bytes_per_cycle)
                              : std::min(rate_of(limit.bus_bytes_per_cycle), without_addition),
                          limit.why);
        if (setting_.budget.count() > 0 && !end_.is_stopped())
            find_schedule_at_best();
    }

    void find_schedule_at_best()
    {
        ChunkProblem problem{
            .network = network_, .collective = collective_, .objective = ChunkObjective::time};
        problem.bytes = contributed(best_->bytes);
        problem.start_cycles = setting_.start_cycles;
        const PortfolioResult found = find_schedule(
            problem, {.budget = setting_.budget, .workers = setting_.workers, .stop = setting_.stop});
        if (!found.schedule)
            return;
        const double ns = found.cycles * setting_.cycle_ns;
        add_limit("schedule found", bus_bytes(best_->bytes) / ns,
                  fmt::format("engine {}, {}", found.engine, to_string(found.end)));
    }

    AuditedRun audited() const
    {
        AuditedRun audited{.run = number_,
                           .collective = std::string(to_string(collective_.kind)),
                           .tool = run_.tool,
                           .ranks = members_.size(),
                           .device = run_.device,
                           .bytes = {},
                           .bus_bandwidth = {},
                           .bound_bus_bandwidth = {},
                           .share_percent = {},
                           .verdict = "the benchmark calls the results of every row wrong: nothing to judge"};
        if (best_ == nullptr)
            return audited;
        audited.bytes = best_->bytes;
        audited.bus_bandwidth = best_->bus_bandwidth;
        audited.bound_bus_bandwidth = bound_bandwidth();
        audited.share_percent = best_->share_percent;
        audited.verdict = verdict();
        return audited;
    }

    const AuditLimit* limit(std::string_view what) const
    {
        const auto found = std::ranges::find(limits_, what, &AuditLimit::what);
        return found == limits_.end() ? nullptr : &*found;
    }

    /// `365 of 450 GB/s: 81 % of what the links carry, and all that a ring reaches; limit: …; wrong results
    /// in 2 of 24 rows, which do not count`
    std::string verdict() const
    {
        const auto wrong = std::ranges::count(run_.rows, true, &LogRow::is_wrong);
        return share_text() + (wrong == 0
                                   ? ""
                                   : fmt::format("; wrong results in {} of {} rows, which do not count",
                                                 wrong, run_.rows.size()));
    }

    std::string share_text() const
    {
        constexpr double rounding = 100.5, nearly = 95;
        const std::string measured =
            fmt::format("{} of {} GB/s", short_number(best_->bus_bandwidth), short_number(bound_bandwidth()));
        if (best_->share_percent > rounding)
            return above_bound(measured);
        std::string text =
            fmt::format("{}: {:.0f} % of what {}", measured, best_->share_percent,
                        setting_.switches_add ? "the links carry where switches add" : "the links carry");
        if (const AuditLimit* const ring = limit("ring");
            ring != nullptr && ring->share_percent <= rounding) {
            if (ring->share_percent >= nearly)
                text += ", and all that a ring reaches";
            else if (100 * ring->bus_bandwidth < nearly * bound_bandwidth())
                text += fmt::format(", and {:.0f} % of the {} GB/s that a ring reaches", ring->share_percent,
                                    short_number(ring->bus_bandwidth));
        }
        return fmt::format("{}; limit: {}", text, reason_);
    }

    /// Where more was measured than can be.
    std::string above_bound(const std::string& measured) const
    {
        const AuditLimit* const addition = limit(adding);
        if (!setting_.switches_add && addition != nullptr && addition->share_percent <= 100)
            return fmt::format(
                "{}: more than any all-reduce without addition in switches (NVLS, SHARP): with it "
                "{} GB/s, of which it is {:.0f} %",
                measured, short_number(addition->bus_bandwidth), addition->share_percent);
        return fmt::format(
            "{}: more than the network carries: it is not what was measured, or size and time are "
            "not those of this collective",
            measured);
    }

    static constexpr std::string_view adding = "addition in switches";

    const MeasuredRun& run_;
    const LinkNetwork& network_;
    const Collective& collective_;
    const AuditSetting& setting_;
    std::vector<std::uint32_t> members_;
    SearchEnd end_;
    std::uint64_t number_ = 1;
    Bounds bounds_; ///< without a cost
    std::vector<AlgorithmLimit> algorithms_;
    std::optional<AlgorithmLimit> adding_;
    std::vector<AuditRow> rows_;
    const AuditRow* best_ = nullptr;
    std::string reason_;
    std::vector<AuditLimit> limits_;
};

} // namespace

Fields<AuditRow> fields_of(const AuditRow*)
{
    return {"audited row",
            "A measured time beside the least that is possible.",
            {{"run", "", "The run, from 1.", &AuditRow::run},
             {"bytes", "bytes", "Size of the collective, as the benchmark counts it.", &AuditRow::bytes},
             {"place", "", "`in` or `out` of place; null if the log does not say.", &AuditRow::place},
             {"time_us", "us", "Measured time.", &AuditRow::time_us},
             {"least_time_us", "us", "No schedule takes less.", &AuditRow::least_time_us},
             {"bus_bandwidth_gb_per_s", "GB/s", bus_bandwidth_meaning, &AuditRow::bus_bandwidth},
             {"share_percent", "%", "Least time over measured time: 100 is as quick as can be.",
              &AuditRow::share_percent},
             {"note", "", "Odd figures, wrong results; null for none.", &AuditRow::note},
             {"line", "", "Line of the log.", &AuditRow::line, Shown::in_files}}};
}

Fields<AuditLimit> fields_of(const AuditLimit*)
{
    return {"audit limit",
            "What no run of an algorithm, or no run at all, exceeds.",
            {{"run", "", "The run, from 1.", &AuditLimit::run},
             {"limit", "",
              "`bound` (proven, of any algorithm), `ring`, `double tree`, `direct exchange`, `addition in "
              "switches`, or `schedule found`, which is reached.",
              &AuditLimit::what},
             {"bus_bandwidth_gb_per_s", "GB/s", "The most bus bandwidth.", &AuditLimit::bus_bandwidth},
             {"measured_percent", "%", "Measured bandwidth over this one.", &AuditLimit::share_percent},
             {"reason", "", "Why.", &AuditLimit::why}}};
}

Fields<AuditedRun> fields_of(const AuditedRun*)
{
    return {
        "audited run",
        "A collective of the log, at the size that comes nearest to its bound.",
        {{"run", "", "The run, from 1.", &AuditedRun::run},
         {"collective", "", "The collective communication.", &AuditedRun::collective},
         {"tool", "", "The benchmark.", &AuditedRun::tool},
         {"ranks", "", "Processes, each on a processor of the network.", &AuditedRun::ranks},
         {"device", "", "Model of the GPUs, as the log names it.", &AuditedRun::device, Shown::in_files},
         {"bytes", "bytes", "Size with the largest share of the bound; null if every row is wrong.",
          &AuditedRun::bytes},
         {"bus_bandwidth_gb_per_s", "GB/s", bus_bandwidth_meaning, &AuditedRun::bus_bandwidth},
         {"bound_bus_bandwidth_gb_per_s", "GB/s", "No schedule has more.", &AuditedRun::bound_bus_bandwidth},
         {"share_percent", "%", "The one over the other.", &AuditedRun::share_percent},
         {"verdict", "", "In one sentence.", &AuditedRun::verdict}}};
}

Fields<AuditResult> fields_of(const AuditResult*)
{
    return {"audit",
            "Measured collectives beside what their network allows.",
            {{"topology", "", "The network.", &AuditResult::topology},
             {"processors", "", "Number of processors.", &AuditResult::processors},
             {"processor_gb_per_s", "GB/s", "Bandwidth out of the processor that has least.",
              &AuditResult::least_bandwidth},
             {"cycle_ns", "ns", "Clock cycle in which widths and latencies count.", &AuditResult::cycle_ns},
             {"runs", "", "Collectives of the log.", &AuditResult::runs},
             {"limits", "", "Limits of each run.", &AuditResult::limits},
             {"rows", "", "All measured times.", &AuditResult::rows}}};
}

AuditResult empty_audit(const LinkNetwork& network, double cycle_ns)
{
    AuditResult result{.topology = network.name(),
                       .processors = network.processor_count(),
                       .least_bandwidth = 0,
                       .cycle_ns = cycle_ns,
                       .runs = {},
                       .limits = {},
                       .rows = {},
                       .remarks = {}};
    std::optional<double> least;
    for (NodeId processor = 0; processor < network.processor_count(); ++processor) {
        double rate = 0;
        for (const LinkId link : network.links_from(processor))
            rate += static_cast<double>(network.link(link).bytes_per_cycle) / cycle_ns;
        least = std::min(least.value_or(rate), rate);
    }
    result.least_bandwidth = least.value_or(0);
    return result;
}

void add_audit(AuditResult& result, const MeasuredRun& run, const LinkNetwork& network,
               const Collective& collective, const AuditSetting& setting)
{
    RunAudit(run, network, collective, setting).add_to(result);
}

} // namespace nocturne
