#include "schedules/problem/free_steps.hpp"

#include <algorithm>
#include <bit>

namespace nocturne {

void FreeSteps::FullSteps::set(std::size_t step)
{
    if (step / 64 >= words_.size())
        words_.resize(step / 64 + 1);
    words_[step / 64] |= std::uint64_t{1} << step % 64;
    while (first_ < words_.size() && words_[first_] == ~std::uint64_t{0})
        ++first_;
}

void FreeSteps::FullSteps::clear(std::size_t step)
{
    words_[step / 64] &= ~(std::uint64_t{1} << step % 64);
    first_ = std::min(first_, step / 64);
}

void FreeSteps::Port::take(std::size_t step)
{
    if (step >= used.size())
        used.resize(step + 1);
    if (++used[step] == capacity)
        full.set(step);
}

void FreeSteps::Port::give_back(std::size_t step)
{
    if (used[step]-- == capacity)
        full.clear(step);
}

FreeSteps::FreeSteps(const Topology& topology, PortModel ports) : channels_(topology.channel_count())
{
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        senders_.push_back({.capacity = send_ports(topology, id, ports)});
        receivers_.push_back({.capacity = receive_ports(topology, id, ports)});
    }
}

std::size_t FreeSteps::first(const TransferRoute& route, std::size_t earliest)
{
    taken_.assign({&senders_[route.source].full, &receivers_[route.destination].full});
    for (const ChannelId id : route.path)
        taken_.push_back(&channels_[id]);
    std::size_t word = earliest / 64;
    std::uint64_t before = (std::uint64_t{1} << earliest % 64) - 1; // not these
    for (const FullSteps* const each : taken_)
        if (each->first_word() > word) {
            word = each->first_word();
            before = 0;
        }
    for (;; ++word, before = 0) {
        std::uint64_t full = before;
        for (const FullSteps* const each : taken_)
            full |= each->word(word);
        if (full != ~std::uint64_t{0})
            return word * 64 + static_cast<std::size_t>(std::countr_one(full));
    }
}

void FreeSteps::take(const TransferRoute& route, std::size_t step)
{
    for (const ChannelId channel : route.path)
        channels_[channel].set(step);
    senders_[route.source].take(step);
    receivers_[route.destination].take(step);
}

void FreeSteps::give_back(const TransferRoute& route, std::size_t step)
{
    for (const ChannelId channel : route.path)
        channels_[channel].clear(step);
    senders_[route.source].give_back(step);
    receivers_[route.destination].give_back(step);
}

} // namespace nocturne
