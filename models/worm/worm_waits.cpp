// Who waits for whom.
#include "models/worm/worm_network.hpp"

namespace nocturne {

/// Each head that waits follows the message that has the first virtual channel of those that it wants, or the
/// one before it in its buffer; in a circular wait none can move.
std::vector<MessageWait> WormNetwork::find_waiting_cycle() const
{
    std::vector<std::uint32_t> wanted(worms_.size(), none); ///< by message: the channel
    std::vector<WormId> blocker(worms_.size(), none);
    const auto held_channel = [&](WormId id) {
        return passages_[worms_[id].passages + worms_[id].head].channel;
    };
    const auto note = [&](WormId id, std::uint32_t channel) {
        wanted[id] = channel;
        blocker[id] = channel_states_[channel].owner;
    };
    std::vector<WormId> first(channel_states_.size(),
                              none); ///< by channel: the head that waits first in its buffer
    for (std::uint32_t group = 0; group < plan_.groups(); ++group)
        for (WormId id = group_states_[group].waiting.first; id != none; id = worms_[id].next) {
            note(id, group_states_[group].range.first);
            first[held_channel(id)] = id;
        }
    for (std::uint32_t channel = 0; channel < channel_states_.size(); ++channel) {
        WormId before = first[channel];
        for (WormId id = channel_states_[channel].behind.first; id != none;
             before = id, id = worms_[id].next) {
            wanted[id] = before == none ? channel : wanted[before];
            blocker[id] = before;
        }
    }
    std::vector<std::uint32_t> seen(worms_.size(), none);
    for (WormId start = 0; start < worms_.size(); ++start) {
        WormId at = start;
        for (; at != none && seen[at] == none; at = blocker[at])
            seen[at] = start;
        if (at == none || seen[at] != start)
            continue;
        std::vector<MessageWait> cycle;
        WormId next = at;
        do {
            const Worm& worm = worms_[next];
            const std::uint32_t held = passages_[worm.passages + worm.head].channel;
            cycle.push_back(
                {worm.message, held / plan_.vcs(), held % plan_.vcs(), wanted[next] / plan_.vcs()});
            next = blocker[next];
        } while (next != at);
        return cycle;
    }
    return {};
}

} // namespace nocturne
