#include "sim/chunk_replay/chunk_sequencer.hpp"

#include <utility>

namespace nocturne {

namespace {

/// Timers are these, by transfer.
constexpr std::uint32_t hold_has_ended = 0;
constexpr std::uint32_t is_started_up = 1;
constexpr std::uint32_t is_beginning = 2;
constexpr std::uint32_t links_have_room = 3;
constexpr std::uint32_t events = 4;

} // namespace

ChunkSequencer::ChunkSequencer(const Schedule& schedule, const LinkNetwork& links, MessageNetwork& network,
                               std::vector<std::uint64_t> hold_cycles, std::uint64_t start_up_cycles,
                               Actions actions)
    : schedule_(schedule), transfers_(schedule), links_(links), network_(network),
      hold_cycles_(std::move(hold_cycles)), start_up_cycles_(start_up_cycles), actions_(std::move(actions)),
      waits_(transfers_.size(), 0), after_end_(transfers_.size()), after_hold_(transfers_.size()),
      after_start_(transfers_.size()), calendar_(links), end_cycles_(transfers_.size(), 0)
{
    plan();
}

void ChunkSequencer::plan()
{
    constexpr std::uint32_t none = ~0U;
    std::vector<std::uint32_t> last_on(links_.link_count(), none);
    for (std::uint32_t id = 0; id < transfers_.size(); ++id) {
        for (const std::uint32_t before : schedule_.after.of(id)) {
            after_end_[before].push_back(id);
            ++waits_[id];
        }
        for (const LinkId link : transfers_[id].links()) {
            if (last_on[link] != none) {
                const bool may_share = !fills(link, last_on[link]) && !fills(link, id);
                (may_share ? after_start_ : after_hold_)[last_on[link]].push_back(id);
                ++waits_[id];
            }
            last_on[link] = id;
        }
        waits_[id] += in_steps() ? 1 : 0; // for its step
    }
}

bool ChunkSequencer::fills(LinkId link, std::uint32_t transfer) const
{
    return rate_of(transfers_[transfer].links(), links_) == links_.link(link).bytes_per_cycle;
}

void ChunkSequencer::begin()
{
    set_timer(0, is_beginning, 0);
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

void ChunkSequencer::set_timer(std::uint64_t at, std::uint32_t event, std::uint32_t transfer)
{
    network_.set_timer(at, transfer * events + event);
}

void ChunkSequencer::timer(std::uint32_t code)
{
    const std::uint32_t transfer = code / events, event = code % events;
    if (event == is_started_up) {
        actions_.issue(transfer);
        return;
    }
    if (event == is_beginning) {
        start_first();
        return;
    }
    if (event == links_have_room)
        start(transfer);
    else
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
        start_with_room(transfer);
    }
    is_starting_ = false;
}

/// All before it on its links have begun, so that the calendar knows from when on there is room beside them.
void ChunkSequencer::start_with_room(std::uint32_t transfer)
{
    const auto now = static_cast<double>(network_.now());
    const double begin = calendar_.earliest_start(transfers_[transfer].links(), now);
    if (begin > now)
        set_timer(static_cast<std::uint64_t>(begin), links_have_room, transfer);
    else
        start(transfer);
}

void ChunkSequencer::start(std::uint32_t transfer)
{
    if (is_local(transfer)) {
        actions_.carry_out(transfer);
        end(transfer);
        return;
    }
    const std::uint64_t now = network_.now();
    calendar_.hold(transfers_[transfer].links(), static_cast<double>(now),
                   static_cast<double>(now + hold_cycles_[transfer]));
    if (!after_hold_[transfer].empty())
        set_timer(now + hold_cycles_[transfer], hold_has_ended, transfer);
    for (const std::uint32_t next : after_start_[transfer])
        release(next);
    if (start_up_cycles_ > 0)
        set_timer(now + start_up_cycles_, is_started_up, transfer);
    else
        actions_.issue(transfer);
}

void ChunkSequencer::end(std::uint32_t transfer)
{
    end_cycles_[transfer] = network_.now();
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
    while (step_ < schedule_.steps.size() && !begin_step())
        end_step();
}

/// Does something go over the network in it?
bool ChunkSequencer::begin_step()
{
    std::vector<std::uint32_t> sent;
    for (std::uint32_t id = transfers_.first_of(step_); id < transfers_.first_of(step_ + 1); ++id)
        if (!is_local(id))
            sent.push_back(id);
    open_in_step_ = sent.size();
    for (const std::uint32_t id : sent)
        release(id);
    return !sent.empty();
}

/// Local transfers, in their order.
void ChunkSequencer::end_step()
{
    for (std::uint32_t id = transfers_.first_of(step_); id < transfers_.first_of(step_ + 1); ++id)
        if (is_local(id)) {
            actions_.carry_out(id);
            end(id);
        }
    ++step_;
}

} // namespace nocturne
