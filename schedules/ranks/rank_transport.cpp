#include "schedules/ranks/rank_transport.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <stdexcept>

namespace nocturne {
namespace rank_transport {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// What travels between ranks: one of these letters and its content.
constexpr std::uint8_t is_offer = 'o';        ///< to rank 0: places
constexpr std::uint8_t is_sign = 's';         ///< to rank 0: of life
constexpr std::uint8_t is_job = 'j';          ///< from rank 0: a JobMessage
constexpr std::uint8_t is_stop = 'x';         ///< from rank 0: a JobMessage without content
constexpr std::uint8_t is_result = 'r';       ///< to rank 0: a JobResult
constexpr std::uint8_t is_end = 'e';          ///< from rank 0, and back: the last message of a rank
constexpr std::uint8_t is_end_together = 't'; ///< from rank 0, behind the answers of all
constexpr std::uint8_t is_end_alone = 'a';    ///< or so, if one is missing

Bytes message_of(std::uint8_t kind, const Bytes& content)
{
    Bytes message(1 + content.size(), kind);
    std::ranges::copy(content, message.begin() + 1);
    return message;
}

std::span<const std::uint8_t> content_of(const RankMessage& message)
{
    return std::span(message.content).subspan(1);
}

std::uint8_t kind_of(const RankMessage& message)
{
    if (message.content.empty())
        throw std::runtime_error("ranks: an empty message");
    return message.content.front();
}

/// MPI has nothing to wait for beside a pool, and looking all the time would take a core from the jobs. So
/// there is a pause between looks, a fiftieth of the time that nothing has happened: what is lost by it stays
/// below that part of a job's time.
class Pause {
public:
    milliseconds next() const
    {
        const auto quiet = std::chrono::duration_cast<milliseconds>(Clock::now() - last_event_);
        return std::clamp(quiet / 50, milliseconds(1), milliseconds(10));
    }
    void note_event() { last_event_ = Clock::now(); }

private:
    Clock::time_point last_event_ = Clock::now();
};

/// Another rank, or rank 0 itself.
struct RankState {
    std::int64_t free_places = 0; ///< below 0: jobs wait there
    Clock::time_point last_sign = Clock::now();
    bool is_lost = false;
};

/// A job that has no result yet.
struct JobOfRank {
    Bytes content;
    std::uint32_t rank;
    bool is_stopped = false;
};

} // namespace rank_transport

using namespace rank_transport;

struct RankJobs::Implementation {
    Implementation(const MessagePassing& passing, JobPool& pool, SignsOfLife life)
        : messages(passing), own(pool), signs(life), ranks(passing.size)
    {
        places = own.places();
        ranks[0].free_places = static_cast<std::int64_t>(places);
        for (std::uint32_t offers = 1; offers < messages.size;) {
            own.receive(milliseconds(1)); // nothing comes; a signal may
            while (const std::optional<RankMessage> message = messages.receive())
                offers += take_offer(*message) ? 1 : 0;
        }
        for (RankState& rank : ranks)
            rank.last_sign = Clock::now();
    }

    bool take_offer(const RankMessage& message)
    {
        std::uint64_t offered = 0;
        if (kind_of(message) != is_offer || message.content.size() != 1 + sizeof offered)
            return false;
        std::memcpy(&offered, content_of(message).data(), sizeof offered);
        ranks.at(message.from).free_places = static_cast<std::int64_t>(offered);
        places += offered;
        return true;
    }

    void send(const JobMessage& job)
    {
        for (;;) {
            const auto freest = std::ranges::max_element(ranks, [](const RankState& a, const RankState& b) {
                return std::pair(!a.is_lost, a.free_places) < std::pair(!b.is_lost, b.free_places);
            });
            const auto rank = static_cast<std::uint32_t>(freest - ranks.begin());
            if (rank > 0 && !send_to(rank, message_of(is_job, bytes_of(job))))
                continue;
            if (rank == 0)
                own.send(job);
            --freest->free_places;
            under_way.insert_or_assign(job.id, JobOfRank{job.content, rank});
            return;
        }
    }

    void stop(std::uint64_t id)
    {
        const auto job = under_way.find(id);
        if (job == under_way.end())
            return;
        job->second.is_stopped = true;
        if (job->second.rank == 0)
            own.stop(id);
        else
            send_to(job->second.rank, message_of(is_stop, bytes_of(JobMessage{id, {}})));
    }

    /// False, and the rank is lost, if MPI says that it is not there.
    bool send_to(std::uint32_t rank, const Bytes& message)
    {
        try {
            messages.send(rank, message);
            return true;
        } catch (const std::exception&) {
            ranks[rank].is_lost = true;
            return false;
        }
    }

    std::vector<JobResult> receive(milliseconds patience)
    {
        const Clock::time_point end = Clock::now() + patience;
        for (;;) {
            std::vector<JobResult> results;
            for (JobResult& result : own.receive(pause.next()))
                take_result(std::move(result), results);
            while (const std::optional<RankMessage> message = messages.receive()) {
                ranks.at(message->from).last_sign = Clock::now();
                if (kind_of(*message) != is_result)
                    continue;
                JobResult result = job_result_of(content_of(*message));
                result.rank = message->from;
                take_result(std::move(result), results);
            }
            give_up_silent(results);
            if (!results.empty())
                pause.note_event();
            if (!results.empty() || Clock::now() >= end)
                return results;
        }
    }

    /// A job has one result, from whichever rank it comes: a rank that was given up may only have been slow.
    void take_result(JobResult result, std::vector<JobResult>& results)
    {
        ++ranks.at(result.rank).free_places;
        if (under_way.erase(result.id) > 0)
            results.push_back(std::move(result));
    }

    void give_up_silent(std::vector<JobResult>& results)
    {
        const Clock::time_point limit = Clock::now() - signs.silence;
        for (std::uint32_t rank = 1; rank < messages.size; ++rank)
            ranks[rank].is_lost = ranks[rank].is_lost || ranks[rank].last_sign < limit;
        std::vector<JobMessage> orphans;
        for (const auto& [id, job] : under_way)
            if (ranks[job.rank].is_lost)
                orphans.push_back({id, job.content});
        for (const JobMessage& job : orphans) {
            if (!under_way.at(job.id).is_stopped) {
                send(job);
                continue;
            }
            JobResult result;
            result.id = job.id;
            result.end = JobEnd::stopped;
            take_result(std::move(result), results);
            --ranks.front().free_places; // it was not there
        }
    }

    RankEnd end()
    {
        for (std::uint32_t rank = 1; rank < messages.size; ++rank)
            if (!ranks[rank].is_lost)
                send_to(rank, Bytes{is_end});
        std::vector<bool> has_ended(messages.size, false);
        const auto is_awaited = [&](std::uint32_t rank) { return !ranks[rank].is_lost && !has_ended[rank]; };
        for (std::uint32_t rank = 1; rank < messages.size; ++rank)
            ranks[rank].last_sign = Clock::now(); // no sign was read since the last result
        for (std::uint32_t rank = 1; rank < messages.size;) {
            if (!is_awaited(rank)) {
                ++rank;
                continue;
            }
            own.receive(milliseconds(1));
            while (const std::optional<RankMessage> message = messages.receive()) {
                ranks.at(message->from).last_sign = Clock::now();
                has_ended.at(message->from) = has_ended.at(message->from) || kind_of(*message) == is_end;
            }
            ranks[rank].is_lost = ranks[rank].last_sign < Clock::now() - signs.silence;
        }
        const bool is_complete =
            std::ranges::none_of(ranks, [](const RankState& rank) { return rank.is_lost; });
        // A rank that was given up may only have been slow.
        for (std::uint32_t rank = 1; rank < messages.size; ++rank)
            send_to(rank, Bytes{is_complete ? is_end_together : is_end_alone});
        return is_complete ? RankEnd::together : RankEnd::alone;
    }

    const MessagePassing& messages;
    JobPool& own;
    SignsOfLife signs;
    std::size_t places = 0;
    std::vector<RankState> ranks;
    std::map<std::uint64_t, JobOfRank> under_way; ///< by id
    Pause pause;
};

RankJobs::RankJobs(const MessagePassing& messages, JobPool& own, SignsOfLife signs)
    : implementation_(std::make_unique<Implementation>(messages, own, signs))
{
}

RankJobs::~RankJobs() = default;

JobTransport RankJobs::transport()
{
    Implementation& here = *implementation_;
    return {here.places, [&here](const JobMessage& job) { here.send(job); },
            [&here](std::uint64_t id) { here.stop(id); },
            [&here](milliseconds patience) { return here.receive(patience); }};
}

RankEnd RankJobs::end()
{
    return implementation_->end();
}

RankEnd serve_jobs(const MessagePassing& messages, JobPool& own, SignsOfLife signs)
{
    const std::uint64_t places = own.places();
    Bytes offer(1 + sizeof places, is_offer);
    std::memcpy(offer.data() + 1, &places, sizeof places);
    messages.send(0, offer);
    Clock::time_point last_sign = Clock::now();
    bool has_ended = false;
    for (Pause pause;;) {
        const std::vector<JobResult> results = own.receive(pause.next());
        if (!results.empty())
            pause.note_event();
        if (!has_ended) { // what comes behind the last message is not received
            for (const JobResult& result : results)
                messages.send(0, message_of(is_result, bytes_of(result)));
            if (Clock::now() - last_sign >= signs.pause) {
                messages.send(0, Bytes{is_sign});
                last_sign = Clock::now();
            }
        }
        while (const std::optional<RankMessage> message = messages.receive()) {
            pause.note_event();
            switch (kind_of(*message)) {
            case is_job:
                own.send(job_message_of(content_of(*message)));
                break;
            case is_stop:
                own.stop(job_message_of(content_of(*message)).id);
                break;
            case is_end:
                messages.send(0, Bytes{is_end});
                has_ended = true;
                break;
            case is_end_together:
                return RankEnd::together;
            case is_end_alone:
                return RankEnd::alone;
            default:
                throw std::runtime_error("ranks: a message that is none");
            }
        }
    }
}

} // namespace nocturne
