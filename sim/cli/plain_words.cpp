#include "sim/cli/plain_words.hpp"

#include "models/routing/make_routing.hpp"
#include "models/text/number.hpp"
#include "models/topology/make_topology.hpp"

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

namespace nocturne::cli {

namespace {

constexpr std::array<std::string_view, 9> numbers_in_words{"",     "one", "two",   "three", "four",
                                                           "five", "six", "seven", "eight"};

/// Words that say nothing by themselves.
constexpr std::string_view fillers =
    " a an the free random under vs versus you be of on in at for to from with and or by per is are this "
    "that these how long what which why "
    "does "
    "do can my our take takes need needs using use please over between there it be time times fast best "
    "nodes "
    "node gpu gpus ranks rank processors processor network topology traffic collective pattern routing load "
    "rate injection bytes size message alpha links schedule run test bound bounds report demo ";

/// `2` and `us` of `2us`.
std::pair<std::optional<double>, std::string> number_and_unit(std::string_view word)
{
    const std::size_t unit = std::min(word.find_first_not_of("0123456789."), word.size());
    return {number_of<double>(word.substr(0, unit)), std::string(word.substr(unit))};
}

} // namespace

std::string plain_of(std::string_view text)
{
    std::string plain = boost::to_lower_copy(std::string(text));
    std::ranges::replace(plain, '-', '_');
    return plain;
}

std::string without_marks(std::string_view text)
{
    std::string letters = plain_of(text);
    std::erase(letters, '_');
    return letters;
}

std::optional<unsigned> count_of(std::string_view text)
{
    const auto in_words = std::ranges::find(numbers_in_words.begin() + 1, numbers_in_words.end(), text);
    if (in_words != numbers_in_words.end())
        return static_cast<unsigned>(in_words - numbers_in_words.begin());
    return text.size() > 5 ? std::nullopt : number_of<unsigned>(text);
}

bool is_one_of(std::string_view word, std::string_view words)
{
    return !word.empty() && fmt::format(" {} ", words).find(fmt::format(" {} ", word)) != std::string::npos;
}

std::string network_with(std::string_view kind, unsigned processors)
{
    if (is_one_of(kind, "mesh torus")) {
        auto rows = static_cast<unsigned>(std::sqrt(processors));
        while (rows > 1 && processors % rows != 0)
            --rows;
        return rows > 1 ? fmt::format("{}:{}x{}", kind, processors / rows, rows) : "";
    }
    if (kind == "hypercube")
        return std::has_single_bit(processors) ? fmt::format("hypercube:{}", std::countr_zero(processors))
                                               : "";
    const std::string candidate = fmt::format("{}:{}", kind, processors);
    return is_specification(candidate) ? candidate : "";
}

std::string boxes_of(unsigned gpus)
{
    constexpr unsigned of_a_box = 8;
    if (gpus == of_a_box)
        return "dgx_h100";
    return gpus > of_a_box && gpus % of_a_box == 0 ? fmt::format("rail:{},{}", gpus / of_a_box, of_a_box)
                                                   : "";
}

bool is_filler(std::string_view word)
{
    return is_one_of(boost::to_lower_copy(std::string(word)), fillers);
}

bool is_processors(std::string_view word)
{
    return is_one_of(word, "node nodes port ports processor processors rank ranks core cores hosts host");
}

std::optional<double> with_unit(std::string_view word, std::string_view units)
{
    const auto [number, unit] = number_and_unit(word);
    return number && *number > 0 && is_one_of(plain_of(unit), units) ? number : std::nullopt;
}

std::optional<double> rate_of(std::string_view word)
{
    constexpr unsigned bits = 8;
    const auto [number, unit] = number_and_unit(word);
    if (is_one_of(unit, "GB/s GBps"))
        return number;
    const bool is_of_links =
        unit == "G" && is_one_of(fmt::format("{:g}", number.value_or(0)), "100 200 400 800");
    if (number && (is_of_links || is_one_of(plain_of(unit), "gbps gbit/s gb/s")))
        return *number / bits;
    return std::nullopt;
}

std::optional<double> nanoseconds_of(std::string_view word)
{
    const auto [number, unit] = number_and_unit(word);
    if (!number || !is_one_of(unit, "ns us \u00b5s"))
        return std::nullopt;
    return unit == "ns" ? *number : *number * 1000;
}

std::string routing_in_words(const std::string& text)
{
    const std::string all = routing_help();
    std::vector<std::string> names;
    boost::split(names, all.substr(0, all.find(';')), boost::is_any_of(", "), boost::token_compress_on);
    const std::string base = text.substr(0, text.find('+'));
    const auto name = std::ranges::find_if(
        names, [&](const std::string& each) { return without_marks(each) == without_marks(base); });
    return name == names.end() ? "" : *name + text.substr(base.size());
}

} // namespace nocturne::cli
