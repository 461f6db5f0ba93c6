#include "schedules/evolution/epoch_bytes.hpp"

#include "schedules/schedule/schedule_bytes.hpp"
#include "schedules/workers/team.hpp"

#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace nocturne {
namespace {

template <typename Number>
void append(Bytes& bytes, Number number)
{
    static_assert(std::is_arithmetic_v<Number>);
    const std::size_t end = bytes.size();
    bytes.resize(end + sizeof number);
    std::memcpy(bytes.data() + end, &number, sizeof number);
}

void append(Bytes& bytes, std::span<const std::uint8_t> more)
{
    append<std::uint64_t>(bytes, more.size());
    bytes.insert(bytes.end(), more.begin(), more.end());
}

class Reader {
public:
    explicit Reader(std::span<const std::uint8_t> bytes) : left_(bytes) {}

    template <typename Number>
    Number next()
    {
        Number number = 0;
        std::memcpy(&number, take(sizeof number).data(), sizeof number);
        return number;
    }
    std::span<const std::uint8_t> take(std::uint64_t count)
    {
        if (count > left_.size())
            throw std::invalid_argument("report of an island: these are not its bytes");
        const auto taken = left_.first(count);
        left_ = left_.subspan(count);
        return taken;
    }
    bool at_end() const { return left_.empty(); }

private:
    std::span<const std::uint8_t> left_;
};

Generation next_generation(Reader& reader)
{
    Generation generation;
    generation.island = reader.next<std::uint32_t>();
    generation.number = reader.next<std::uint64_t>();
    generation.evaluations = reader.next<std::uint64_t>();
    generation.best = reader.next<std::uint64_t>();
    generation.mean = reader.next<double>();
    generation.diversity = reader.next<double>();
    return generation;
}

} // namespace

std::vector<std::uint8_t> report_to_bytes(const EpochReport& report)
{
    Bytes bytes;
    append<std::uint64_t>(bytes, report.generations.size());
    for (const Generation& generation : report.generations) {
        append(bytes, generation.island);
        append(bytes, generation.number);
        append(bytes, generation.evaluations);
        append(bytes, generation.best);
        append(bytes, generation.mean);
        append(bytes, generation.diversity);
    }
    append(bytes, std::span<const std::uint8_t>(report.emigrant));
    append(bytes, report.emigrant_conflicts);
    append(bytes, report.best);
    append(bytes, static_cast<std::uint8_t>(report.schedule ? 1 : 0));
    if (report.schedule)
        append(bytes, std::span<const std::uint8_t>(to_bytes(*report.schedule)));
    return bytes;
}

EpochReport report_from_bytes(std::span<const std::uint8_t> bytes)
{
    Reader reader(bytes);
    EpochReport report;
    for (auto generations = reader.next<std::uint64_t>(); generations > 0; --generations)
        report.generations.push_back(next_generation(reader));
    const auto emigrant = reader.take(reader.next<std::uint64_t>());
    report.emigrant.assign(emigrant.begin(), emigrant.end());
    report.emigrant_conflicts = reader.next<std::uint64_t>();
    report.best = reader.next<std::uint64_t>();
    if (reader.next<std::uint8_t>() != 0)
        report.schedule = steps_from_bytes(reader.take(reader.next<std::uint64_t>()));
    if (!reader.at_end())
        throw std::invalid_argument("report of an island: these are not its bytes");
    return report;
}

} // namespace nocturne
