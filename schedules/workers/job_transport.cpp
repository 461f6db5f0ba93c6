#include "schedules/workers/job_transport.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace nocturne {
namespace {

/// Values one behind the other, then the content.
template <class... Values>
Bytes packed(const Bytes& content, Values... values)
{
    static_assert((std::is_trivially_copyable_v<Values> && ...));
    Bytes bytes((sizeof values + ...) + content.size());
    std::uint8_t* end = bytes.data();
    const auto append = [&end](const void* from, std::size_t size) {
        std::memcpy(end, from, size);
        end += size;
    };
    (append(&values, sizeof values), ...);
    std::copy(content.begin(), content.end(), end);
    return bytes;
}

template <class Value>
Value take_value(std::span<const std::uint8_t>& bytes)
{
    Value value{};
    if (bytes.size() < sizeof value)
        throw std::runtime_error("worker processes: a message is too short");
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes = bytes.subspan(sizeof value);
    return value;
}

} // namespace

Bytes bytes_of(const JobMessage& job)
{
    return packed(job.content, job.id);
}

Bytes bytes_of(const JobResult& result)
{
    return packed(result.content, result.id, result.end, result.seconds, result.rank);
}

JobMessage job_message_of(std::span<const std::uint8_t> bytes)
{
    JobMessage job;
    job.id = take_value<std::uint64_t>(bytes);
    job.content.assign(bytes.begin(), bytes.end());
    return job;
}

JobResult job_result_of(std::span<const std::uint8_t> bytes)
{
    JobResult result;
    result.id = take_value<std::uint64_t>(bytes);
    result.end = take_value<JobEnd>(bytes);
    result.seconds = take_value<double>(bytes);
    result.rank = take_value<std::uint32_t>(bytes);
    result.content.assign(bytes.begin(), bytes.end());
    return result;
}

void hand_out(const JobTransport& transport, const std::function<std::optional<JobMessage>()>& next,
              const std::function<void(std::vector<JobResult> results)>& take)
{
    constexpr std::chrono::milliseconds tick{200};
    std::size_t under_way = 0;
    bool is_over = false;
    const auto fill = [&] {
        while (!is_over && under_way < transport.places) {
            const std::optional<JobMessage> job = next();
            is_over = !job;
            if (job) {
                transport.send(*job);
                ++under_way;
            }
        }
    };
    for (fill(); under_way > 0;) {
        std::vector<JobResult> results = transport.receive(tick);
        under_way -= results.size();
        fill();
        take(std::move(results));
    }
}

} // namespace nocturne
