#include "sim/sweep/run_sweep.hpp"

#include "models/text/json_text.hpp"
#include "models/topology/input_log.hpp"

#include <algorithm>
#include <chrono>

namespace nocturne {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Commits at once where that is quick, otherwise so seldom that at most a tenth of the time goes into it.
class PacedCommit {
public:
    explicit PacedCommit(SweepDatabase& database) : database_(database) {}

    void commit()
    {
        if (seconds_since(last_) < 10 * cost_)
            return;
        const Clock::time_point begin = Clock::now();
        database_.commit();
        last_ = Clock::now();
        cost_ = std::chrono::duration<double>(last_ - begin).count();
    }

private:
    SweepDatabase& database_;
    Clock::time_point last_{};
    double cost_ = 0;
};

/// One call of run_sweep().
class SweepRun {
public:
    SweepRun(const SweepPlan& plan, SweepDatabase& database, std::size_t places,
             const SweepSettings& settings)
        : plan_(plan), database_(database), places_(places), settings_(settings),
          done_(database.done(settings.retry)), next_done_(done_.begin()), commit_(database)
    {
        progress_.points = count_points(plan);
        progress_.done = done_.size();
    }

    /// The next point that has no result.
    std::optional<JobMessage> next()
    {
        while (next_done_ != done_.end() && *next_done_ == next_) {
            ++next_done_;
            ++next_;
        }
        if (next_ >= progress_.points)
            return std::nullopt;
        const std::uint64_t point = next_++;
        return JobMessage{point, json_to_cbor(point_of(plan_, point).arguments)};
    }

    void take(const std::vector<JobResult>& results)
    {
        for (const JobResult& result : results)
            take(result);
        commit_.commit();
        progress_.seconds = seconds_since(start_);
        if (const std::uint64_t here = progress_.done - done_.size(); here > 0) {
            const double left = static_cast<double>(progress_.points - progress_.done);
            const double each = busy_seconds_ / static_cast<double>(here);
            progress_.seconds_left = left * each / static_cast<double>(places_);
        }
        if (settings_.on_progress)
            settings_.on_progress(progress_);
    }

    const SweepProgress& progress() const { return progress_; }

private:
    void take(const JobResult& result)
    {
        StoredPoint point;
        point.point = result.id;
        point.command = settings_.command_text(point_of(plan_, result.id).arguments);
        if (result.end == JobEnd::done)
            point.result = point_result_of(result.content);
        else
            point.result = {point_died, {result.content.begin(), result.content.end()}, "", "{}"};
        for (const std::string& remark : point.result.remarks)
            InputLog::remark(remark);
        progress_.failed += point.result.status != 0 || !point.result.error.empty() ? 1 : 0;
        database_.add(point, result.seconds, result.rank);
        busy_seconds_ += result.seconds;
        ++progress_.done;
    }

    const SweepPlan& plan_;
    SweepDatabase& database_;
    std::size_t places_;
    const SweepSettings& settings_;
    std::vector<std::uint64_t> done_; ///< before this call
    std::vector<std::uint64_t>::const_iterator next_done_;
    std::uint64_t next_ = 0;
    PacedCommit commit_;
    Clock::time_point start_ = Clock::now();
    double busy_seconds_ = 0; ///< of all places together
    SweepProgress progress_;
};

} // namespace

JobPool::Work point_work(CommandLine run)
{
    return [run = std::move(run)](std::span<const std::uint8_t> job) {
        const auto arguments = json_from_cbor(job).get<std::vector<std::string>>();
        return bytes_of(run_point(run, arguments));
    };
}

SweepProgress run_sweep(const SweepPlan& plan, SweepDatabase& database, const JobTransport& transport,
                        const SweepSettings& settings)
{
    SweepRun run(plan, database, transport.places, settings);
    try {
        hand_out(
            transport, [&] { return run.next(); },
            [&](const std::vector<JobResult>& results) { run.take(results); });
    } catch (...) {
        const std::exception_ptr error = std::current_exception();
        try {
            database.commit();
        } catch (const std::exception&) {
            // The first error says what is wrong: often the database itself.
        }
        std::rethrow_exception(error);
    }
    database.commit();
    return run.progress();
}

} // namespace nocturne
