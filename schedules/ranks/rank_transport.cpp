#include "schedules/ranks/rank_transport.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <stdexcept>

namespace nocturne {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// What travels between ranks: one of these letters and its content.
constexpr std::uint8_t is_offer = 'o';  ///< to rank 0: places
constexpr std::uint8_t is_job = 'j';    ///< from rank 0: a JobMessage
constexpr std::uint8_t is_result = 'r'; ///< to rank 0: a JobResult
constexpr std::uint8_t is_end = 'e';    ///< from rank 0

Bytes message_of(std::uint8_t kind, const Bytes& content)
{
    Bytes message{kind};
    message.insert(message.end(), content.begin(), content.end());
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

/// What rank 0 knows of the others and of itself.
class RankJobs {
public:
    RankJobs(const MessagePassing& messages, JobPool& own)
        : messages_(messages), own_(own), free_(messages.size, 0)
    {
        free_[0] = static_cast<std::int64_t>(own.places());
        places_ = own.places();
        for (std::uint32_t offers = 1; offers < messages.size;) {
            own.receive(milliseconds(1)); // nothing comes; a signal may
            if (const std::optional<RankMessage> message = messages.receive())
                offers += take_offer(*message) ? 1 : 0;
        }
    }

    std::size_t places() const { return places_; }

    void send(const JobMessage& job)
    {
        const auto freest = std::max_element(free_.begin(), free_.end());
        --*freest;
        const auto rank = static_cast<std::uint32_t>(freest - free_.begin());
        if (rank == 0)
            own_.send(job);
        else
            messages_.send(rank, message_of(is_job, bytes_of(job)));
    }

    std::vector<JobResult> receive(milliseconds patience)
    {
        const Clock::time_point end = Clock::now() + patience;
        for (;;) {
            std::vector<JobResult> results = own_.receive(pause_.next());
            while (const std::optional<RankMessage> message = messages_.receive())
                if (kind_of(*message) == is_result) {
                    results.push_back(job_result_of(content_of(*message)));
                    results.back().rank = message->from;
                }
            for (const JobResult& result : results)
                ++free_[result.rank];
            if (!results.empty())
                pause_.note_event();
            if (!results.empty() || Clock::now() >= end)
                return results;
        }
    }

private:
    bool take_offer(const RankMessage& message)
    {
        if (kind_of(message) != is_offer || message.content.size() != 1 + sizeof(std::uint64_t))
            return false;
        std::uint64_t places = 0;
        std::memcpy(&places, content_of(message).data(), sizeof places);
        free_[message.from] = static_cast<std::int64_t>(places);
        places_ += places;
        return true;
    }

    const MessagePassing& messages_;
    JobPool& own_;
    std::vector<std::int64_t> free_; ///< places by rank
    std::size_t places_ = 0;
    Pause pause_;
};

} // namespace

JobTransport transport_over(const MessagePassing& messages, JobPool& own)
{
    const auto jobs = std::make_shared<RankJobs>(messages, own);
    return {jobs->places(), [jobs](const JobMessage& job) { jobs->send(job); },
            [jobs](milliseconds patience) { return jobs->receive(patience); }};
}

void end_service(const MessagePassing& messages)
{
    for (std::uint32_t rank = 1; rank < messages.size; ++rank)
        messages.send(rank, Bytes{is_end});
}

void serve_jobs(const MessagePassing& messages, JobPool& own)
{
    const std::uint64_t places = own.places();
    Bytes offer{is_offer};
    offer.resize(1 + sizeof places);
    std::memcpy(offer.data() + 1, &places, sizeof places);
    messages.send(0, offer);
    for (Pause pause;;) {
        const std::vector<JobResult> results = own.receive(pause.next());
        for (const JobResult& result : results)
            messages.send(0, message_of(is_result, bytes_of(result)));
        if (!results.empty())
            pause.note_event();
        while (const std::optional<RankMessage> message = messages.receive()) {
            pause.note_event();
            if (kind_of(*message) == is_end)
                return;
            if (kind_of(*message) == is_job)
                own.send(job_message_of(content_of(*message)));
        }
    }
}

} // namespace nocturne
