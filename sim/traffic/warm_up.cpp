#include "sim/traffic/warm_up.hpp"

#include <limits>

namespace nocturne {

namespace {

constexpr std::size_t least_left = 5;
constexpr std::size_t least_values = 2 * least_left;

} // namespace

std::optional<std::size_t> mser_truncation(std::span<const double> values)
{
    if (values.size() < least_values)
        return std::nullopt;
    // From the end on, mean and sum of squares of what is left (Welford, Technometrics 4, 1962).
    double mean = 0, squares = 0, least = std::numeric_limits<double>::infinity();
    std::size_t best = 0;
    for (std::size_t left = 1; left <= values.size(); ++left) {
        const double value = values[values.size() - left];
        const double change = value - mean;
        mean += change / static_cast<double>(left);
        squares += change * (value - mean);
        const double error = squares / static_cast<double>(left) / static_cast<double>(left);
        if (left >= least_left && error <= least) {
            least = error;
            best = values.size() - left;
        }
    }
    return 2 * best < values.size() ? std::optional(best) : std::nullopt;
}

void WarmUpSeries::message_delivered(const NetworkMessage& message, ProcessorId)
{
    if (is_over_)
        return;
    sum_ += network_.now() - message.created;
    if (++in_batch_ < batch_packets)
        return;
    means_.push_back(static_cast<double>(sum_) / batch_packets);
    ends_.push_back(network_.now());
    in_batch_ = 0;
    sum_ = 0;
}

void WarmUpSeries::end()
{
    is_over_ = true;
    means_ = {};
    ends_ = {};
}

std::optional<std::uint64_t> WarmUpSeries::end_of_transient() const
{
    if (means_.size() < least_batches)
        return std::nullopt;
    const std::optional<std::size_t> left_out = mser_truncation(means_);
    if (!left_out)
        return std::nullopt;
    return *left_out == 0 ? 0 : ends_[*left_out - 1];
}

} // namespace nocturne
