#include "models/hardware/allocator.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace nocturne {

Arbiters::Arbiters(ArbiterKind kind, std::size_t count, std::size_t size) : size_(size)
{
    if (kind == ArbiterKind::matrix) {
        for (std::size_t i = 0; i < count * size; ++i)
            served_.push_back(i % size);
        services_ = size;
    } else {
        last_.assign(count, static_cast<std::uint32_t>(size - 1));
    }
}

void Arbiters::serve(std::uint32_t arbiter, std::uint32_t i)
{
    if (served_.empty())
        last_[arbiter] = i;
    else
        served_[arbiter * size_ + i] = ++services_;
}

Allocator::Allocator(AllocatorKind kind, ArbiterKind arbiter, unsigned iterations, Shape shape)
    : kind_(kind), arbiter_(arbiter), iterations_(iterations), shape_(shape),
      members_(std::make_shared<Arbiters>(arbiter, shape.inputs, shape.members)),
      outputs_(arbiter, shape.outputs, shape.inputs), accepts_(arbiter, shape.inputs, shape.outputs),
      best_of_input_(shape.inputs, none), best_of_output_(shape.outputs, none),
      is_matched_input_(shape.inputs), is_matched_output_(shape.outputs)
{
}

Allocator Allocator::beside(const Allocator& first)
{
    Allocator made(first.kind_, first.arbiter_, first.iterations_, first.shape_);
    made.members_ = first.members_;
    return made;
}

std::span<const Allocator::Request> Allocator::allocate(std::span<const Request> taken)
{
    granted_.clear();
    if (requests_.empty())
        return {};
    if (kind_ == AllocatorKind::input_first)
        grant_input_first();
    else if (kind_ == AllocatorKind::wavefront)
        grant_along_diagonals();
    else
        grant_output_first();
    for (const Request& request : requests_) {
        is_matched_input_[request.input] = false;
        is_matched_output_[request.output] = false;
    }
    requests_.clear();
    if (!taken.empty())
        std::erase_if(granted_, [&](const Request& grant) {
            return std::any_of(taken.begin(), taken.end(), [&](const Request& each) {
                return each.input == grant.input || each.output == grant.output;
            });
        });
    for (const Request& grant : granted_)
        members_->serve(grant.input, grant.member);
    return granted_;
}

/// Keeps the request that an arbiter prefers.
template <typename Turn>
void Allocator::offer(std::vector<std::uint32_t>& best, std::uint32_t of, std::uint32_t request, Turn turn)
{
    const auto key = [&](std::uint32_t i) { return std::pair(requests_[i].rank, turn(requests_[i])); };
    if (best[of] == none || key(request) < key(best[of]))
        best[of] = request;
}

void Allocator::win(const Request& request)
{
    is_matched_input_[request.input] = true;
    is_matched_output_[request.output] = true;
    granted_.push_back(request);
}

void Allocator::grant_input_first()
{
    for (std::uint32_t i = 0; i < requests_.size(); ++i)
        offer(best_of_input_, requests_[i].input, i,
              [&](const Request& request) { return members_->turn(request.input, request.member); });
    for (const Request& each : requests_)
        if (const std::uint32_t chosen = std::exchange(best_of_input_[each.input], none); chosen != none)
            offer(best_of_output_, requests_[chosen].output, chosen,
                  [&](const Request& request) { return outputs_.turn(request.output, request.input); });
    for (const Request& each : requests_)
        if (const std::uint32_t winner = std::exchange(best_of_output_[each.output], none); winner != none) {
            outputs_.serve(each.output, requests_[winner].input);
            win(requests_[winner]);
        }
}

/// Of the requests of an input for one output only the one that is its turn stays.
void Allocator::choose_members()
{
    const auto key = [this](const Request& request) {
        return std::tuple(request.input, request.output, request.rank,
                          members_->turn(request.input, request.member));
    };
    std::sort(requests_.begin(), requests_.end(),
              [&](const Request& a, const Request& b) { return key(a) < key(b); });
    const auto is_same_pair = [](const Request& a, const Request& b) {
        return a.input == b.input && a.output == b.output;
    };
    requests_.erase(std::unique(requests_.begin(), requests_.end(), is_same_pair), requests_.end());
}

void Allocator::grant_output_first()
{
    choose_members();
    for (unsigned iteration = 0; iteration < iterations_; ++iteration) {
        for (std::uint32_t i = 0; i < requests_.size(); ++i) {
            const auto& [input, output, member, rank] = requests_[i];
            if (!is_matched_input_[input] && !is_matched_output_[output])
                offer(best_of_output_, output, i,
                      [&](const Request& request) { return outputs_.turn(request.output, request.input); });
        }
        for (const Request& each : requests_)
            if (const std::uint32_t chosen = std::exchange(best_of_output_[each.output], none);
                chosen != none) {
                const std::uint32_t input = requests_[chosen].input;
                if (kind_ == AllocatorKind::output_first)
                    outputs_.serve(each.output, input);
                offer(best_of_input_, input, chosen,
                      [&](const Request& request) { return accepts_.turn(request.input, request.output); });
            }
        for (const Request& each : requests_)
            if (const std::uint32_t winner = std::exchange(best_of_input_[each.input], none);
                winner != none) {
                const Request& won = requests_[winner];
                if (iteration == 0) {
                    accepts_.serve(won.input, won.output);
                    if (kind_ == AllocatorKind::islip)
                        outputs_.serve(won.output, won.input);
                }
                win(won);
            }
    }
}

void Allocator::grant_along_diagonals()
{
    choose_members();
    const std::uint64_t size = std::max(shape_.inputs, shape_.outputs);
    const auto wave = [&](const Request& request) {
        return (request.input + request.output + size - diagonal_) % size;
    };
    std::sort(requests_.begin(), requests_.end(), [&](const Request& a, const Request& b) {
        return std::tuple(wave(a), a.input) < std::tuple(wave(b), b.input);
    });
    for (const Request& request : requests_)
        if (!is_matched_input_[request.input] && !is_matched_output_[request.output])
            win(request);
    diagonal_ = (diagonal_ + 1) % size;
}

} // namespace nocturne
