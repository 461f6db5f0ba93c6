#include "tests/models/hardware/reference_allocator.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace nocturne::test {

namespace {

bool is_taken(const std::vector<RefRequest>& granted, const RefRequest& request)
{
    return std::any_of(granted.begin(), granted.end(), [&](const RefRequest& each) {
        return each.input == request.input || each.output == request.output;
    });
}

template <typename Keep>
std::vector<RefRequest> those(const std::vector<RefRequest>& requests, Keep keep)
{
    std::vector<RefRequest> kept;
    std::copy_if(requests.begin(), requests.end(), std::back_inserter(kept), keep);
    return kept;
}

} // namespace

ReferenceAllocator::ReferenceAllocator(AllocatorKind kind, ArbiterKind arbiter, unsigned iterations,
                                       std::vector<std::uint32_t> inputs_outputs_members)
    : kind_(kind), arbiter_(arbiter), iterations_(iterations)
{
    const auto [inputs, outputs, members] =
        std::tuple(inputs_outputs_members[0], inputs_outputs_members[1], inputs_outputs_members[2]);
    const auto order = [&](std::uint32_t size) {
        Order result(size);
        std::iota(result.begin(), result.end(), 0u);
        return result;
    };
    members_ = std::make_shared<std::vector<Order>>(inputs, order(members));
    inputs_.assign(outputs, order(inputs));
    outputs_.assign(inputs, order(outputs));
}

template <typename Index>
ReferenceAllocator::Pick ReferenceAllocator::preferred(const std::vector<RefRequest>& requests,
                                                       const Order& arbiter, Index index)
{
    if (requests.empty())
        return {};
    const auto place = [&](const RefRequest& request) {
        return std::pair(request.rank, std::find(arbiter.begin(), arbiter.end(), index(request)));
    };
    return {*std::min_element(requests.begin(), requests.end(),
                              [&](const RefRequest& a, const RefRequest& b) { return place(a) < place(b); })};
}

/// The matrix puts who was served at the end; in turn means that all those before it go there as well.
void ReferenceAllocator::serve(Order& arbiter, std::uint32_t served) const
{
    const auto at = std::find(arbiter.begin(), arbiter.end(), served);
    if (arbiter_ == ArbiterKind::matrix)
        std::rotate(at, at + 1, arbiter.end());
    else
        std::rotate(arbiter.begin(), at + 1, arbiter.end());
}

std::vector<RefRequest> ReferenceAllocator::allocate(const std::vector<RefRequest>& requests,
                                                     const std::vector<RefRequest>& taken)
{
    if (requests.empty())
        return {};
    const std::vector<RefRequest> granted = kind_ == AllocatorKind::input_first ? inputs_first(requests)
                                            : kind_ == AllocatorKind::wavefront ? waves(requests)
                                                                                : outputs_first(requests);
    const std::vector<RefRequest> valid =
        those(granted, [&](const RefRequest& each) { return !is_taken(taken, each); });
    for (const RefRequest& each : valid)
        serve((*members_)[each.input], each.member);
    return valid;
}

std::vector<RefRequest> ReferenceAllocator::inputs_first(const std::vector<RefRequest>& requests)
{
    std::vector<RefRequest> chosen;
    for (std::uint32_t input = 0; input < members_->size(); ++input)
        for (const RefRequest& one :
             preferred(those(requests, [&](const RefRequest& each) { return each.input == input; }),
                       (*members_)[input], [](const RefRequest& each) { return each.member; }))
            chosen.push_back(one);
    std::vector<RefRequest> granted;
    for (std::uint32_t output = 0; output < inputs_.size(); ++output)
        for (const RefRequest& one :
             preferred(those(chosen, [&](const RefRequest& each) { return each.output == output; }),
                       inputs_[output], [](const RefRequest& each) { return each.input; })) {
            granted.push_back(one);
            serve(inputs_[output], one.input);
        }
    return granted;
}

std::vector<RefRequest> ReferenceAllocator::one_of_each_pair(const std::vector<RefRequest>& requests) const
{
    std::vector<RefRequest> result;
    for (std::uint32_t input = 0; input < members_->size(); ++input)
        for (std::uint32_t output = 0; output < inputs_.size(); ++output)
            for (const RefRequest& one :
                 preferred(those(requests,
                                 [&](const RefRequest& each) {
                                     return each.input == input && each.output == output;
                                 }),
                           (*members_)[input], [](const RefRequest& each) { return each.member; }))
                result.push_back(one);
    return result;
}

std::vector<RefRequest> ReferenceAllocator::outputs_first(const std::vector<RefRequest>& requests)
{
    const std::vector<RefRequest> pairs = one_of_each_pair(requests);
    std::vector<RefRequest> granted;
    for (unsigned iteration = 0; iteration < iterations_; ++iteration) {
        const std::vector<RefRequest> left =
            those(pairs, [&](const RefRequest& each) { return !is_taken(granted, each); });
        std::vector<RefRequest> offers;
        for (std::uint32_t output = 0; output < inputs_.size(); ++output)
            for (const RefRequest& one :
                 preferred(those(left, [&](const RefRequest& each) { return each.output == output; }),
                           inputs_[output], [](const RefRequest& each) { return each.input; }))
                offers.push_back(one);
        for (const RefRequest& offer : offers)
            if (kind_ == AllocatorKind::output_first)
                serve(inputs_[offer.output], offer.input);
        for (std::uint32_t input = 0; input < members_->size(); ++input)
            for (const RefRequest& one :
                 preferred(those(offers, [&](const RefRequest& each) { return each.input == input; }),
                           outputs_[input], [](const RefRequest& each) { return each.output; })) {
                granted.push_back(one);
                if (iteration > 0)
                    continue;
                serve(outputs_[input], one.output);
                if (kind_ == AllocatorKind::islip)
                    serve(inputs_[one.output], input);
            }
    }
    return granted;
}

std::vector<RefRequest> ReferenceAllocator::waves(const std::vector<RefRequest>& requests)
{
    const std::vector<RefRequest> pairs = one_of_each_pair(requests);
    const auto size = static_cast<std::uint32_t>(std::max(members_->size(), inputs_.size()));
    std::vector<RefRequest> granted;
    for (std::uint32_t wave = 0; wave < size; ++wave)
        for (const RefRequest& each : pairs)
            if ((each.input + each.output) % size == (first_wave_ + wave) % size && !is_taken(granted, each))
                granted.push_back(each);
    first_wave_ = (first_wave_ + 1) % size;
    return granted;
}

} // namespace nocturne::test
