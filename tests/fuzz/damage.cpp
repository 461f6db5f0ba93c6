#include "tests/fuzz/damage.hpp"

#include "tests/fuzz/command_lists.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <vector>

namespace nocturne::test {
namespace {

using nlohmann::ordered_json;

/// From where to where a number or a word goes on that holds the position.
std::pair<std::size_t, std::size_t> number_at(const std::string& text, std::size_t at)
{
    const auto is_digit = [&](std::size_t i) {
        return std::isdigit(static_cast<unsigned char>(text[i])) != 0;
    };
    while (at < text.size() && !is_digit(at))
        ++at;
    std::size_t end = at;
    while (end < text.size() && (is_digit(end) || text[end] == '.'))
        ++end;
    return {at, end};
}

void edit(std::string& text, SplitMix64& random)
{
    static constexpr std::string_view bytes = "0123456789-+.eE{}[]\"'<>&;,:=#\\/ \t\n\r\x01\x7f\x80\xff";
    const auto size = static_cast<std::uint32_t>(text.size());
    const std::size_t at = random.below(size + 1);
    switch (random.below(7)) {
    case 0:
        text.insert(at, 1, bytes[random.below(static_cast<std::uint32_t>(bytes.size()))]);
        break;
    case 1:
        text.erase(at, 1 + random.below(20));
        break;
    case 2:
        if (at < size)
            text[at] = static_cast<char>(random.below(256));
        break;
    case 3:
        text.insert(at, text.substr(random.below(size + 1), 1 + random.below(60)));
        break;
    case 4:
        text.resize(at);
        break;
    case 5:
        text.insert(at, std::string(1 + random.below(200), any_of(bytes, random)));
        break;
    default:
        const auto [begin, end] = number_at(text, at);
        text.replace(begin, end - begin, odd_number(random));
    }
}

/// Every value in the document, the whole one first.
void collect(ordered_json& value, std::vector<ordered_json*>& all)
{
    all.push_back(&value);
    if (value.is_structured())
        for (ordered_json& part : value)
            collect(part, all);
}

ordered_json other_value(SplitMix64& random)
{
    switch (random.below(8)) {
    case 0:
        return nullptr;
    case 1:
        return random.below(2) == 0;
    case 2:
        return ordered_json::array();
    case 3:
        return ordered_json::object();
    case 4:
        return std::string(random.below(300), 'x');
    case 5:
        return odd_number(random);
    default: {
        const ordered_json number = ordered_json::parse(odd_number(random), nullptr, false);
        return number.is_discarded() ? ordered_json(-1) : number;
    }
    }
}

void change(ordered_json& document, SplitMix64& random)
{
    std::vector<ordered_json*> all;
    collect(document, all);
    ordered_json& value = *any_of(all, random);
    switch (random.below(4)) {
    case 0: // a part is gone, or doubled
        if (value.is_structured() && !value.empty()) {
            const auto part =
                std::next(value.begin(), random.below(static_cast<std::uint32_t>(value.size())));
            if (value.is_array() && random.below(2) == 0)
                value.push_back(*part);
            else
                value.erase(part);
        }
        break;
    case 1: { // another value of the document, perhaps one around this
        ordered_json copy = *any_of(all, random);
        value = std::move(copy);
        break;
    }
    default:
        value = other_value(random);
    }
}

} // namespace

std::string odd_number(SplitMix64& random)
{
    return any_of(words_of("numbers"), random);
}

std::string damage_bytes(std::string text, SplitMix64& random)
{
    for (auto edits = 1 + random.below(4); edits-- > 0;)
        edit(text, random);
    return text;
}

std::string damage_json(const std::string& text, SplitMix64& random)
{
    ordered_json document = ordered_json::parse(text, nullptr, false);
    if (document.is_discarded())
        return damage_bytes(text, random);
    for (auto changes = 1 + random.below(2); changes-- > 0;)
        change(document, random);
    return document.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

} // namespace nocturne::test
