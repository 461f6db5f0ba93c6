#include "models/endpoints/program_replay.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

namespace {

constexpr std::uint64_t most_message_flits_of_ranks = std::uint64_t{1} << 30;
constexpr std::uint32_t no_partner = ~0u;

std::uint64_t flits_of(const RankPrograms::Operation& message, const HardwareConfig& hardware)
{
    const std::uint64_t data = hardware.flits(message.bytes), of_a_header = message.data_flits_of_a_header;
    return of_a_header == 0 ? data : data + (data - 1) / of_a_header + 1;
}

} // namespace

ProgramReplay::ProgramReplay(MessageNetwork& network, const HardwareConfig& hardware, const Routing& routing,
                             const RankPrograms& programs, MessageObserver& observer)
    : network_(network), hardware_(hardware), routing_(routing), operations_(programs.operations),
      servers_(programs.servers.value_or(RequestServers{})),
      first_server_(programs.servers ? programs.ranks / 2 : programs.ranks), observer_(observer),
      after_(operations_.size()), after_start_(operations_.size()), partner_(operations_.size(), no_partner),
      has_arrived_(operations_.size()), sent_(programs.ranks), open_(operations_.size())
{
    network_.attach(*this);
    being_served_.resize(programs.ranks);
    for (std::uint32_t rank = first_server_; rank < programs.ranks; ++rank)
        network_.set_gate(rank);
    for (std::uint32_t id = 0; id < operations_.size(); ++id) {
        const Operation& operation = operations_[id];
        if (flits_of(operation, hardware_) > most_message_flits_of_ranks)
            throw std::invalid_argument(fmt::format("trace: {} {}: {} bytes are more than {} flits",
                                                    line_word(programs), operation.line, operation.bytes,
                                                    most_message_flits_of_ranks));
        waits_.push_back(static_cast<std::uint32_t>(operation.after.size() + operation.after_start.size()));
        for (const std::uint32_t before : operation.after)
            after_[before].push_back(id);
        for (const std::uint32_t before : operation.after_start)
            after_start_[before].push_back(id);
        if (waits_.back() == 0)
            make_ready(id);
    }
    // The first cycle in which anything can be sent.
    if (!operations_.empty())
        network_.set_timer(1, static_cast<std::uint32_t>(operations_.size()));
}

void ProgramReplay::timer(std::uint32_t code)
{
    if (code == operations_.size()) {
        run_ready();
        return;
    }
    if (operations_[code].kind == RankPrograms::Kind::send) {
        send(code);
        return;
    }
    Cpu& cpu = cpus_[{operations_[code].rank, operations_[code].cpu}];
    cpu.is_busy = false;
    while (!cpu.is_busy && !cpu.waiting.empty()) {
        const std::uint32_t next = cpu.waiting.front();
        cpu.waiting.pop_front();
        compute(next);
    }
    end(code);
}

/// Not one within the other: programs are as long as they like.
void ProgramReplay::run_ready()
{
    if (is_running_)
        return;
    is_running_ = true;
    while (!ready_.empty()) {
        const std::uint32_t id = ready_.front();
        ready_.pop_front();
        begin(id);
    }
    is_running_ = false;
}

void ProgramReplay::begin(std::uint32_t id)
{
    release(after_start_[id]);
    const Operation& operation = operations_[id];
    if (operation.kind == RankPrograms::Kind::compute) {
        Cpu& cpu = cpus_[{operation.rank, operation.cpu}];
        if (cpu.is_busy)
            cpu.waiting.push_back(id);
        else
            compute(id);
        return;
    }
    const bool is_send = operation.kind == RankPrograms::Kind::send;
    const MessageKey key = is_send ? MessageKey{operation.rank, operation.peer, operation.tag}
                                   : MessageKey{operation.peer, operation.rank, operation.tag};
    Matches& matches = matches_[key];
    (is_send ? matches.sends : matches.receives).push_back(id);
    match(key);
    if (is_send && is_server(operation.rank))
        network_.set_timer(network_.now() + servers_.service_cycles, id);
    else if (is_send && operation.copies != 0)
        send(id);
}

/// The cpu is free.
void ProgramReplay::compute(std::uint32_t id)
{
    const Operation& operation = operations_[id];
    const std::uint64_t of_time = operation.ns > 0 ? whole_cycles(operation.ns, hardware_.cycle_ns) : 0;
    const std::uint64_t cycles = std::max(of_time, of_time + operation.cycles); // the most, if they wrap
    if (cycles >= network_.last_cycle() - network_.now()) {
        out_of_time_ = out_of_time_.value_or(operation.line);
        return;
    }
    if (cycles == 0) {
        end(id);
        return;
    }
    cpus_[{operation.rank, operation.cpu}].is_busy = true;
    network_.set_timer(network_.now() + cycles, id);
    if (on_computation_)
        on_computation_(operation, network_.now(), network_.now() + cycles);
}

void ProgramReplay::send(std::uint32_t id)
{
    const Operation& operation = operations_[id];
    const auto flits = static_cast<std::uint32_t>(flits_of(operation, hardware_));
    const auto sending = [&](std::uint32_t copy) {
        const std::uint32_t send = id + 2 * copy;
        return MessageNetwork::Sending{operation.rank, operations_[send].peer, flits, send,
                                       sent_[operation.rank]++};
    };
    messages_ += operation.copies;
    if (operation.copies == 1) {
        send_observed(network_, sending(0), routing_, observer_);
        return;
    }
    std::vector<MessageNetwork::Sending> to_each;
    for (std::uint32_t copy = 0; copy < operation.copies; ++copy)
        to_each.push_back(sending(copy));
    to_each.front().keeps_reservation = operation.keeps_reservation;
    observer_.multicast_begins(operation.rank, true);
    send_observed(network_, to_each, routing_, observer_);
}

void ProgramReplay::match(const MessageKey& key)
{
    Matches& matches = matches_[key];
    while (!matches.sends.empty() && !matches.receives.empty()) {
        const std::uint32_t send = matches.sends.front();
        partner_[send] = matches.receives.front();
        matches.sends.pop_front();
        matches.receives.pop_front();
        if (has_arrived_[send])
            end(partner_[send]);
    }
}

void ProgramReplay::message_sent(const NetworkMessage& message)
{
    const std::uint32_t id = message.tag; // sending ends the life of the reference
    if (const ProcessorId from = message.source; is_server(from)) {
        --being_served_[from];
        network_.retry_gate(from);
    }
    const std::uint32_t ended = network_.copies_multicasts() ? operations_[id].copies : 1;
    for (std::uint32_t copy = 0; copy < ended; ++copy)
        end(id + 2 * copy);
}

bool ProgramReplay::takes(const NetworkMessage& request)
{
    if (being_served_[request.destination] == servers_.requests)
        return false;
    ++being_served_[request.destination];
    return true;
}

void ProgramReplay::message_arrived(const NetworkMessage& message, ProcessorId at)
{
    const std::uint32_t id = message.tag; // sending ends the life of the reference
    observer_.message_delivered(message, at);
    has_arrived_[id] = true;
    if (partner_[id] != no_partner)
        end(partner_[id]);
}

void ProgramReplay::end(std::uint32_t id)
{
    --open_;
    last_end_ = network_.now();
    release(after_[id]);
    run_ready();
}

void ProgramReplay::release(const std::vector<std::uint32_t>& followers)
{
    for (const std::uint32_t follower : followers)
        if (--waits_[follower] == 0)
            make_ready(follower);
}

} // namespace nocturne
