#include "models/text/number_range.hpp"

#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <vector>

namespace nocturne {
namespace {

constexpr double rounding = 1e-9;

std::vector<std::string_view> parts_between_colons(std::string_view text)
{
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(':', begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

[[noreturn]] void refuse(std::string_view text, std::string_view why)
{
    throw std::invalid_argument(fmt::format("'{}': {}", shortened(text), why));
}

/// How many steps fit between the two.
double steps_between(double first, double last, double step, bool multiplies)
{
    return std::floor(multiplies ? std::log(last / first) / std::log(step) + rounding
                                 : std::abs(last - first) / step + rounding);
}

} // namespace

NumberRange::NumberRange(std::string_view text, const Parse& parse, std::string_view step, std::size_t most)
{
    std::vector<std::string_view> parts = parts_between_colons(text);
    const bool has_step = parts.size() == 3;
    if (parts.size() == 2 && !step.empty())
        parts.push_back(step);
    const std::string_view syntax = step.empty() ? "a range is FIRST:LAST:STEP or FIRST:LAST:xFACTOR"
                                                 : "a range is FIRST:LAST, FIRST:LAST:STEP or "
                                                   "FIRST:LAST:xFACTOR";
    if (parts.size() != 3)
        refuse(text, syntax);
    multiplies_ = parts[2].starts_with('x');
    if (multiplies_)
        parts[2].remove_prefix(1);
    const auto first = parse(parts[0]), last = parse(parts[1]);
    const auto size = multiplies_ ? plain_decimal(parts[2]) : parse(parts[2]);
    if (!first || !last || !size || *size <= (multiplies_ ? 1 : 0))
        refuse(text, syntax);
    if (multiplies_ && (*first <= 0 || *last < *first))
        refuse(text, "a range that multiplies begins above 0 and goes upwards");
    is_descending_ = *last < *first;
    first_ = *first;
    step_ = is_descending_ ? -*size : *size;
    const double steps = steps_between(*first, *last, *size, multiplies_);
    if (has_step && steps == 0)
        refuse(text, !multiplies_ && *size > *first
                         ? fmt::format("the step goes beyond LAST; {}, such as {}:{}:{}", syntax, parts[0],
                                       parts[2], parts[1])
                         : fmt::format("the step goes beyond LAST; {}", syntax));
    if (steps >= static_cast<double>(most))
        refuse(text, fmt::format("more than {} values", most));
    size_ = static_cast<std::size_t>(steps) + 1;
}

double NumberRange::operator[](std::size_t index) const
{
    const double value = multiplies_ ? first_ * std::pow(step_, static_cast<double>(index))
                                     : first_ + static_cast<double>(index) * step_;
    // Twelve digits, unless it is whole: 0.06 and not 0.060000000000000005.
    return value == std::round(value) ? value : std::stod(fmt::format("{:.12g}", value));
}

std::optional<double> plain_decimal(std::string_view text)
{
    const auto value = number_of<double>(text);
    if (!value || !std::isfinite(*value) || text.find_first_of("eE") != std::string_view::npos)
        return std::nullopt;
    return value;
}

} // namespace nocturne
