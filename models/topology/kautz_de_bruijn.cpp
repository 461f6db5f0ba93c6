#include "models/topology/generator_helpers.hpp"
#include "models/topology/generators.hpp"
#include "models/topology/size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

using Word = std::vector<unsigned>;

/// A network of `words` over `letters` letters, with a channel from each word to every other one of them that
/// results from dropping its first letter and adding one at its end.
Topology build(const std::string& name, const std::vector<Word>& words, unsigned letters)
{
    Topology topology(name);
    for (unsigned i = 0; i < words.size(); ++i) {
        const RouterId router = topology.add_router(digit_name(words[i], letters),
                                                    on_circle(i, static_cast<unsigned>(words.size()), 1.2));
        topology.add_processor(router);
    }
    for (RouterId r = 0; r < words.size(); ++r) {
        Word next(words[r].begin() + 1, words[r].end());
        next.push_back(0);
        for (; next.back() < letters; ++next.back())
            if (const auto found = std::ranges::lower_bound(words, next);
                found != words.end() && *found == next && next != words[r])
                topology.add_channel(r, static_cast<RouterId>(found - words.begin()));
    }
    return topology;
}

} // namespace

Topology make_kautz(unsigned degree, unsigned length)
{
    const std::string name = fmt::format("kautz:{},{}", degree, length);
    if (degree < 1 || length < 1)
        throw std::invalid_argument(fmt::format("{}: degree and word length are at least 1", name));
    const unsigned letters = degree + 1;
    const std::uint64_t count =
        saturating_product({std::uint64_t{degree} + 1, saturating_power(degree, length - 1)});
    check_size(name, {count, count, saturating_product({count, degree})});
    // A word of degree 1 is as long as its author likes: 01010... and 10101... are all there are.
    if (length > largest_network.routers)
        throw std::invalid_argument(fmt::format("{}: words longer than {}", name, largest_network.routers));

    std::vector<Word> words;
    for (unsigned v = 0; v < count; ++v) {
        Word word =
            digits_of(v, degree, length); // the first letter, then a choice among the others at each place
        word[0] = static_cast<unsigned>(v / saturating_power(degree, length - 1));
        for (std::size_t i = 1; i < word.size(); ++i)
            word[i] += word[i] >= word[i - 1] ? 1 : 0;
        words.push_back(std::move(word));
    }
    return build(name, words, letters);
}

Topology make_debruijn(unsigned letters, unsigned length)
{
    const std::string name = fmt::format("debruijn:{},{}", letters, length);
    if (letters < 2 || length < 1)
        throw std::invalid_argument(fmt::format("{}: at least 2 letters and word length 1", name));
    const std::uint64_t count = saturating_power(letters, length);
    check_size(name, {count, count, saturating_product({count, letters})});
    std::vector<Word> words;
    for (unsigned v = 0; v < count; ++v)
        words.push_back(digits_of(v, letters, length));
    return build(name, words, letters);
}

} // namespace nocturne
