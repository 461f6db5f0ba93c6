#include "schedules/workers/job_transport.hpp"

#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace nocturne {
namespace {

template <class Value>
void append_value(Bytes& bytes, Value value)
{
    static_assert(std::is_trivially_copyable_v<Value>);
    const std::size_t end = bytes.size();
    bytes.resize(end + sizeof value);
    std::memcpy(bytes.data() + end, &value, sizeof value);
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
    Bytes bytes;
    append_value(bytes, job.id);
    bytes.insert(bytes.end(), job.content.begin(), job.content.end());
    return bytes;
}

Bytes bytes_of(const JobResult& result)
{
    Bytes bytes;
    append_value(bytes, result.id);
    append_value(bytes, result.end);
    append_value(bytes, result.seconds);
    append_value(bytes, result.rank);
    bytes.insert(bytes.end(), result.content.begin(), result.content.end());
    return bytes;
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
