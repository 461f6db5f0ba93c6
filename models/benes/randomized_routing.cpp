#include "models/benes/randomized_routing.hpp"

#include "models/topology/indices_by.hpp"
#include "models/traffic/permutation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace nocturne {
namespace {

constexpr std::uint32_t no_message = ~0u;

} // namespace

std::uint32_t PermutationRun::delay() const
{
    return attempts.empty() ? 0 : *std::max_element(attempts.begin(), attempts.end());
}

PermutationRouter::PermutationRouter(const BenesWiring& wiring)
    : wiring_(&wiring), tags_(std::size_t{wiring.lines()} * wiring.columns()),
      owner_(wiring.lines(), no_message)
{
}

/// Takes requests_ through the network; what is left of them is through.
void PermutationRouter::send(std::uint32_t attempt, const RandomizedRouting& how)
{
    const BenesWiring& wiring = *wiring_;
    const unsigned columns = wiring.columns();
    for (unsigned column = 0; column < columns; ++column) {
        const auto weight = [&](const Request& request) {
            return request_weight(how.arbitration, how.seed, attempt, column, request.line);
        };
        const auto output = [&](const Request& request) {
            return wiring.leaves(request.line, tags_[std::size_t{request.source} * columns + column]);
        };
        for (std::uint32_t i = 0; i < requests_.size(); ++i) {
            std::uint32_t& owner = owner_[output(requests_[i])];
            if (owner == no_message || weight(requests_[i]) < weight(requests_[owner]))
                owner = i;
        }
        std::size_t kept = 0;
        const bool is_last = column + 1 == columns;
        for (std::uint32_t i = 0; i < requests_.size(); ++i) {
            const Request request = requests_[i];
            const std::uint32_t line = output(request);
            // A loser finds the owner or, after the owner has passed, a free output.
            if (owner_[line] != i)
                continue;
            owner_[line] = no_message;
            requests_[kept++] = {request.source, is_last ? line : wiring.enters_next(column, line)};
        }
        requests_.resize(kept);
    }
}

const PermutationRun& PermutationRouter::route(std::span<const std::uint32_t> destination,
                                               const RandomizedRouting& how)
{
    const BenesWiring& wiring = *wiring_;
    check_permutation(destination, wiring.lines());
    const unsigned columns = wiring.columns();
    const unsigned free_columns = wiring.free_columns();
    draws_.clear();
    waiting_.resize(wiring.lines());
    std::iota(waiting_.begin(), waiting_.end(), 0U);
    for (const std::uint32_t source : waiting_) {
        draws_.emplace_back(how.seed, source, how.randomization);
        write_destination(wiring, destination[source],
                          std::span(tags_).subspan(std::size_t{source} * columns, columns));
    }
    run_.attempts.assign(wiring.lines(), 0);
    for (std::uint32_t attempt = 1; !waiting_.empty(); ++attempt) {
        requests_.clear();
        for (const std::uint32_t source : waiting_) {
            draws_[source].draw(wiring,
                                std::span(tags_).subspan(std::size_t{source} * columns, free_columns));
            requests_.push_back({source, source});
        }
        send(attempt, how);
        for (const Request& request : requests_)
            run_.attempts[request.source] = attempt;
        std::erase_if(waiting_, [&](std::uint32_t source) { return run_.attempts[source] != 0; });
    }
    return run_;
}

std::vector<std::uint32_t> PermutationRouter::blocked(std::span<const std::uint16_t> tags)
{
    const BenesWiring& wiring = *wiring_;
    if (tags.size() != tags_.size())
        throw std::invalid_argument(
            fmt::format("{} digits for {} tags of {} digits", tags.size(), wiring.lines(), wiring.columns()));
    if (const auto high = std::max_element(tags.begin(), tags.end()); *high >= wiring.switch_size())
        throw std::invalid_argument(
            fmt::format("digit {}: the switches have {} outputs", *high, wiring.switch_size()));
    std::copy(tags.begin(), tags.end(), tags_.begin());
    requests_.clear();
    for (std::uint32_t source = 0; source < wiring.lines(); ++source)
        requests_.push_back({source, source});
    send(1, {.arbitration = Arbitration::lowest_port});
    std::vector<bool> is_through(wiring.lines(), false);
    for (const Request& request : requests_)
        is_through[request.source] = true;
    return indices_where(wiring.lines(), [&](std::uint32_t source) { return !is_through[source]; });
}

} // namespace nocturne
