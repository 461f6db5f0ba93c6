#include "schedules/schedule/schedule_bytes.hpp"

#include <cstring>
#include <stdexcept>

namespace nocturne {
namespace {

using Word = std::uint32_t;

constexpr Word without_path = ~Word{0};

class Words {
public:
    explicit Words(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    Word next()
    {
        if (bytes_.size() < sizeof(Word))
            throw std::invalid_argument("schedule: these are not its bytes");
        Word word = 0;
        std::memcpy(&word, bytes_.data(), sizeof word);
        bytes_ = bytes_.subspan(sizeof word);
        return word;
    }

    /// A number of things of `words` words or more each, as many as can follow.
    Word count(std::size_t words)
    {
        const Word count = next();
        if (count > bytes_.size() / sizeof(Word) / words)
            throw std::invalid_argument("schedule: these are not its bytes");
        return count;
    }

    bool at_end() const { return bytes_.empty(); }

private:
    std::span<const std::uint8_t> bytes_;
};

Transfer next_transfer(Words& words)
{
    Transfer transfer{words.next(), words.next(), words.next(), std::nullopt};
    Words ahead = words;
    if (ahead.next() == without_path) {
        words = ahead;
        return transfer;
    }
    transfer.path.emplace(words.count(1));
    for (ChannelId& channel : *transfer.path)
        channel = words.next();
    return transfer;
}

} // namespace

std::vector<std::uint8_t> to_bytes(std::span<const Step> steps)
{
    std::vector<Word> words{static_cast<Word>(steps.size())};
    for (const Step& step : steps) {
        words.push_back(static_cast<Word>(step.size()));
        for (const Transfer& transfer : step) {
            words.insert(words.end(), {transfer.message, transfer.source, transfer.destination});
            words.push_back(transfer.path ? static_cast<Word>(transfer.path->size()) : without_path);
            if (transfer.path)
                words.insert(words.end(), transfer.path->begin(), transfer.path->end());
        }
    }
    std::vector<std::uint8_t> bytes(words.size() * sizeof(Word));
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
}

std::vector<Step> steps_from_bytes(std::span<const std::uint8_t> bytes)
{
    Words words(bytes);
    std::vector<Step> steps(words.count(1));
    for (Step& step : steps) {
        const Word transfers = words.count(4);
        step.reserve(transfers);
        for (Word i = 0; i < transfers; ++i)
            step.push_back(next_transfer(words));
    }
    if (!words.at_end())
        throw std::invalid_argument("schedule: these are not its bytes");
    return steps;
}

} // namespace nocturne
