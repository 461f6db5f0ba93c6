#include "schedules/formats/teccl_flow.hpp"

#include "models/text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <sstream>

namespace nocturne {

namespace {

constexpr std::uint32_t most_nodes = 65536;

/// A text word by word; what it should have been is said where it is something else.
class Words {
public:
    Words(const JsonPlace& place, const std::string& text, const char* expected)
        : place_(place), words_(text), expected_(expected)
    {
    }

    /// Empty at the end.
    std::string next()
    {
        std::string word;
        words_ >> word;
        return word;
    }

    void expect(bool it_is) const
    {
        if (!it_is)
            place_.fail(fmt::format("expected {}", expected_));
    }

    void skip(std::initializer_list<const char*> words)
    {
        for (const char* const word : words)
            expect(next() == word);
    }

    std::uint32_t number() { return number(next()); }

    std::uint32_t number(const std::string& digits) const
    {
        const auto number = number_of<std::uint32_t>(digits);
        if (!number || *number >= most_nodes)
            place_.fail(fmt::format("'{}' is no number below {}", digits, most_nodes));
        return *number;
    }

    std::uint32_t millionths()
    {
        const std::string digits = next();
        const auto volume = number_of<double>(digits);
        if (!volume || !(*volume > 0 && *volume < 1 + 1e-6))
            place_.fail(fmt::format("volume '{}': expected more than 0 and at most 1", digits));
        return static_cast<std::uint32_t>(std::clamp(std::lround(*volume * 1e6), 1L, 1000000L));
    }

private:
    const JsonPlace& place_;
    std::istringstream words_;
    const char* expected_;
};

TecclHop read_hop(Words& words)
{
    TecclHop hop;
    const std::string way = words.next();
    const std::size_t arrow = way.find("->");
    words.expect(arrow != std::string::npos);
    hop.nodes.push_back(words.number(way.substr(0, arrow)));
    std::string word = words.next();
    if (word == "with") {
        words.skip({"volume"});
        hop.millionths = words.millionths();
        hop.has_volume = true;
        word = words.next();
    }
    words.expect(word == "in");
    words.skip({"epoch"});
    hop.epoch = words.number();
    if (word = words.next(); word == "via") {
        words.skip({"switches"});
        while (!(word = words.next()).empty())
            hop.nodes.push_back(words.number(word.back() == ',' ? word.substr(0, word.size() - 1) : word));
    } else {
        words.expect(word.empty());
    }
    hop.nodes.push_back(words.number(way.substr(arrow + 2)));
    return hop;
}

} // namespace

TecclHop read_teccl_hop(const JsonPlace& place)
{
    Words words(place, place.text(), "\"1->2 with volume 0.5 in epoch 0\", perhaps \"via switches 3\"");
    return read_hop(words);
}

TecclFlow read_teccl_flow(const JsonPlace& place)
{
    Words words(place, place.text(),
                "\"Chunk 0 from 1 traveled over 1->2 in epoch 0\", perhaps \"via switches 3\"");
    TecclFlow flow{};
    words.skip({"Chunk"});
    flow.chunk = words.number();
    words.skip({"from"});
    flow.root = words.number();
    words.skip({"traveled", "over"});
    flow.hop = read_hop(words);
    return flow;
}

TecclDemand read_teccl_demand(const JsonPlace& place, const std::string& text)
{
    Words words(place, text, "members like \"Demand at 2 for chunk 0 from 1 met by epoch 3\"");
    TecclDemand demand{};
    words.skip({"Demand", "at"});
    demand.receiver = words.number();
    words.skip({"for", "chunk"});
    demand.chunk = words.number();
    words.skip({"from"});
    demand.root = words.number();
    words.skip({"met", "by", "epoch"});
    words.number();
    words.expect(words.next().empty());
    return demand;
}

std::uint32_t read_teccl_number(const JsonPlace& place, const std::string& text, const std::string& word)
{
    const std::string expected = fmt::format("\"{} 0\" or another number, and not '{}'", word, text);
    Words words(place, text, expected.c_str());
    words.skip({word.c_str()});
    const std::uint32_t number = words.number();
    words.expect(words.next().empty());
    return number;
}

} // namespace nocturne
