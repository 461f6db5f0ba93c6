#include "models/traffic/message_sizes.hpp"

#include "models/text/number.hpp"

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace nocturne {
namespace {

constexpr std::uint32_t longest = 1U << 20;

std::vector<double> weights_of(const std::vector<MessageSizes::Size>& sizes)
{
    std::vector<double> weights;
    for (const MessageSizes::Size& size : sizes)
        weights.push_back(size.weight);
    return weights;
}

template <class Number>
Number number_in(std::string_view text, std::string_view whole)
{
    const auto number = number_of<Number>(text);
    if (!number)
        throw std::invalid_argument(fmt::format(
            "message sizes '{}': '{}' is no number; expected flits (8), or flits and weights (2:0.7,16:0.3)",
            whole, text));
    return *number;
}

} // namespace

MessageSizes::MessageSizes(std::vector<Size> sizes) : sizes_(std::move(sizes)), table_(weights_of(sizes_))
{
    double all = 0;
    for (const Size& size : sizes_) {
        if (size.flits < 1 || size.flits > longest)
            throw std::invalid_argument(
                fmt::format("a message of {} flits: from 1 to {}", size.flits, longest));
        mean_flits_ += size.weight * size.flits;
        all += size.weight;
        most_flits_ = std::max(most_flits_, size.flits);
    }
    mean_flits_ /= all;
}

MessageSizes make_message_sizes(std::string_view text)
{
    std::vector<std::string> parts;
    boost::split(parts, text, [](char c) { return c == ','; });
    std::vector<MessageSizes::Size> sizes;
    for (const std::string& part : parts) {
        const std::string_view whole = part;
        const std::size_t colon = whole.find(':');
        MessageSizes::Size size{number_in<std::uint32_t>(whole.substr(0, colon), text)};
        if (colon != std::string_view::npos)
            size.weight = number_in<double>(whole.substr(colon + 1), text);
        sizes.push_back(size);
    }
    return MessageSizes(std::move(sizes));
}

} // namespace nocturne
