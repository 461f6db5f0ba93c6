#include "sim/chunk_replay/chunk_sequencer.hpp"

#include <utility>

namespace nocturne {

namespace {

/// Events of the clock domain.
constexpr std::uint32_t links_are_free = 0;
constexpr std::uint32_t is_started_up = 1;
constexpr std::uint32_t is_beginning = 2;

} // namespace

ChunkSequencer::ChunkSequencer(const ChunkedSchedule& schedule, const LinkNetwork& network,
                               ClockDomain& domain, std::vector<Cycle> hold_cycles, Cycle start_up_cycles,
                               Actions actions)
    : schedule_(schedule), network_(network), domain_(domain), hold_cycles_(std::move(hold_cycles)),
      start_up_cycles_(start_up_cycles), actions_(std::move(actions)), waits_(schedule.transfers.size(), 0),
      after_end_(schedule.transfers.size()), after_hold_(schedule.transfers.size()),
      end_cycles_(schedule.transfers.size(), 0)
{
    plan();
}

void ChunkSequencer::plan()
{
    constexpr std::uint32_t none = ~0U;
    std::vector<std::uint32_t> last_on(network_.link_count(), none);
    for (std::uint32_t id = 0; id < schedule_.transfers.size(); ++id) {
        const ChunkTransfer& transfer = schedule_.transfers[id];
        for (const std::uint32_t before : transfer.after) {
            after_end_[before].push_back(id);
            ++waits_[id];
        }
        for (const LinkId link : transfer.path) {
            if (last_on[link] != none) {
                after_hold_[last_on[link]].push_back(id);
                ++waits_[id];
            }
            last_on[link] = id;
        }
        waits_[id] += in_steps() ? 1 : 0; // for its step
    }
}

void ChunkSequencer::begin()
{
    domain_.schedule(0, *this, is_beginning);
}

void ChunkSequencer::start_first()
{
    if (in_steps()) {
        begin_steps();
    } else {
        for (std::uint32_t id = 0; id < waits_.size(); ++id)
            if (waits_[id] == 0)
                ready_.push_back(id);
    }
    start_ready();
}

void ChunkSequencer::arrived(std::uint32_t transfer)
{
    end(transfer);
    start_ready();
}

void ChunkSequencer::on_event(std::uint32_t code, std::uint64_t data)
{
    const auto transfer = static_cast<std::uint32_t>(data);
    if (code == is_started_up) {
        actions_.issue(transfer);
        return;
    }
    if (code == is_beginning) {
        start_first();
        return;
    }
    for (const std::uint32_t next : after_hold_[transfer])
        release(next);
    start_ready();
}

void ChunkSequencer::release(std::uint32_t transfer)
{
    if (--waits_[transfer] == 0)
        ready_.push_back(transfer);
}

/// Local transfers end at once and make others ready.
void ChunkSequencer::start_ready()
{
    if (is_starting_)
        return;
    is_starting_ = true;
    while (!ready_.empty()) {
        const std::uint32_t transfer = ready_.back();
        ready_.pop_back();
        start(transfer);
    }
    is_starting_ = false;
}

void ChunkSequencer::start(std::uint32_t transfer)
{
    if (is_local(transfer)) {
        actions_.carry_out(transfer);
        end(transfer);
        return;
    }
    const Cycle now = domain_.now();
    if (!after_hold_[transfer].empty())
        domain_.schedule(now + hold_cycles_[transfer], *this, links_are_free, transfer);
    if (start_up_cycles_ > 0)
        domain_.schedule(now + start_up_cycles_, *this, is_started_up, transfer);
    else
        actions_.issue(transfer);
}

void ChunkSequencer::end(std::uint32_t transfer)
{
    end_cycles_[transfer] = domain_.now();
    ++ended_;
    for (const std::uint32_t next : after_end_[transfer])
        release(next);
    if (in_steps() && !is_local(transfer) && --open_in_step_ == 0) {
        end_step();
        begin_steps();
    }
}

/// Up to the first that has something to wait for.
void ChunkSequencer::begin_steps()
{
    while (first_of_step_ < schedule_.transfers.size() && !begin_step())
        end_step();
}

/// Does something go over the network in it?
bool ChunkSequencer::begin_step()
{
    const auto& transfers = schedule_.transfers;
    step_ = transfers[first_of_step_].step;
    std::vector<std::uint32_t> sent;
    for (std::size_t id = first_of_step_; id < transfers.size() && transfers[id].step == step_; ++id)
        if (!is_local(static_cast<std::uint32_t>(id)))
            sent.push_back(static_cast<std::uint32_t>(id));
    open_in_step_ = sent.size();
    for (const std::uint32_t id : sent)
        release(id);
    return !sent.empty();
}

/// Local transfers, in their order.
void ChunkSequencer::end_step()
{
    const auto& transfers = schedule_.transfers;
    for (; first_of_step_ < transfers.size() && transfers[first_of_step_].step == step_; ++first_of_step_)
        if (is_local(static_cast<std::uint32_t>(first_of_step_))) {
            actions_.carry_out(static_cast<std::uint32_t>(first_of_step_));
            end(static_cast<std::uint32_t>(first_of_step_));
        }
}

} // namespace nocturne
