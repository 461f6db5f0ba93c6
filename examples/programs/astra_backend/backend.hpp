// A network backend for ASTRA-sim (github.com/astra-sim/astra-sim): its interface AstraNetworkAPI over a
// network of Nocturne, message by message or flit by flit.
#pragma once

#include "astra-sim/common/AstraNetworkAPI.hh"
#include "models/routing/make_routing.hpp"
#include "sim/simulation/network_model.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

/// The network that all ranks share. Rank p is processor p.
class NocturneNetwork final : private nocturne::MessageClient {
public:
    using Handler = void (*)(void*);

    /// `model`: nocturne::NetworkModel::worm costs the same for messages of any length; flit is SystemC, of
    /// which there is one network a process. A flit of the hardware is what its narrowest link carries in a
    /// cycle.
    NocturneNetwork(const nocturne::Topology& topology, nocturne::HardwareConfig hardware,
                    nocturne::NetworkModel model, const std::string& routing = "auto")
        : topology_(topology), routing_(nocturne::make_routing(topology_, routing))
    {
        hardware.vcs = std::max(hardware.vcs, routing_.vc_classes.count());
        hardware_ = hardware;
        network_ = nocturne::make_network(model, topology_, hardware_, nocturne::all_port, routing_);
        network_->attach(*this);
    }

    /// `sent` is called when the last flit has left the source.
    void send(std::uint32_t from, std::uint32_t to, int tag, std::uint64_t bytes, Handler sent,
              void* argument)
    {
        const Key key{from, to, tag, bytes};
        if (from == to) { // what a rank has for itself
            due_.emplace_back(sent, argument);
            arrive(key);
            return;
        }
        const std::uint32_t number = take_place(messages_, {key, {sent, argument}});
        const auto flits = static_cast<std::uint32_t>(hardware_.flits(bytes));
        network_->send({.source = from, .destination = to, .flits = flits, .tag = number}, routing_);
    }

    /// `received` is called when a message of that tag and size has arrived that no other call has taken.
    void receive(std::uint32_t from, std::uint32_t to, int tag, std::uint64_t bytes, Handler received,
                 void* argument)
    {
        const Key key{from, to, tag, bytes};
        if (const auto there = arrived_.find(key); there != arrived_.end()) {
            if (--there->second == 0)
                arrived_.erase(there);
            due_.emplace_back(received, argument);
        } else {
            awaited_[key].emplace_back(received, argument);
        }
    }

    void schedule(double delta_ns, Handler handler, void* argument)
    {
        const std::uint64_t cycles = nocturne::whole_cycles(delta_ns, hardware_.cycle_ns);
        if (cycles == 0)
            due_.emplace_back(handler, argument);
        else
            network_->set_timer(network_->now() + cycles, take_place(timers_, {handler, argument}));
    }

    double now_ns() const { return network_->now_ns(); }

    /// Until nothing is left to do. Begin the workloads of all ranks before.
    void run()
    {
        call_due();
        network_->run_to_the_end();
    }

    /// Messages that never arrived: more than 0 after a deadlock.
    std::size_t in_flight() const { return network_->in_flight(); }

private:
    using Key =
        std::tuple<std::uint32_t, std::uint32_t, int, std::uint64_t>; ///< source, destination, tag, bytes
    using Call = std::pair<Handler, void*>;

    template <class Value>
    struct Places {
        std::vector<Value> values;
        std::vector<std::uint32_t> free;
    };

    struct Message {
        Key key;
        Call sent;
    };

    template <class Value>
    static std::uint32_t take_place(Places<Value>& places, Value value)
    {
        if (places.free.empty()) {
            places.values.push_back(std::move(value));
            return static_cast<std::uint32_t>(places.values.size() - 1);
        }
        const std::uint32_t number = places.free.back();
        places.free.pop_back();
        places.values[number] = std::move(value);
        return number;
    }

    void message_sent(const nocturne::NetworkMessage& message) override
    {
        due_.push_back(messages_.values[message.tag].sent);
        call_due();
    }

    void message_arrived(const nocturne::NetworkMessage& message, nocturne::ProcessorId) override
    {
        const std::uint32_t number = message.tag;
        arrive(messages_.values[number].key);
        messages_.free.push_back(number);
        call_due();
    }

    void timer(std::uint32_t number) override
    {
        due_.push_back(timers_.values[number]);
        timers_.free.push_back(number);
        call_due();
    }

    void arrive(const Key& key)
    {
        const auto waiting = awaited_.find(key);
        if (waiting == awaited_.end()) {
            ++arrived_[key];
            return;
        }
        due_.push_back(waiting->second.front());
        waiting->second.pop_front();
        if (waiting->second.empty())
            awaited_.erase(waiting);
    }

    /// Handlers send, receive and schedule: what is due at once is called one after the other.
    void call_due()
    {
        if (is_calling_)
            return;
        is_calling_ = true;
        while (!due_.empty()) {
            const auto [handler, argument] = due_.front();
            due_.pop_front();
            if (handler != nullptr)
                handler(argument);
        }
        is_calling_ = false;
    }

    nocturne::Topology topology_;
    nocturne::Routing routing_;
    nocturne::HardwareConfig hardware_;
    std::unique_ptr<nocturne::MessageNetwork> network_;
    Places<Message> messages_;
    Places<Call> timers_;
    std::map<Key, std::deque<Call>> awaited_;
    std::map<Key, std::size_t> arrived_;
    std::deque<Call> due_;
    bool is_calling_ = false;
};

/// What ASTRA-sim's system layer of a rank talks to.
class AstraNetwork final : public AstraSim::AstraNetworkAPI {
public:
    AstraNetwork(int own_rank, NocturneNetwork& network) : AstraNetworkAPI(own_rank), network_(network) {}

    int sim_send(void*, std::uint64_t count, int, int dst, int tag, AstraSim::sim_request*,
                 void (*msg_handler)(void*), void* fun_arg) override
    {
        network_.send(id(sim_comm_get_rank()), id(dst), tag, count, msg_handler, fun_arg);
        return 0;
    }

    int sim_recv(void*, std::uint64_t count, int, int src, int tag, AstraSim::sim_request*,
                 void (*msg_handler)(void*), void* fun_arg) override
    {
        network_.receive(id(src), id(sim_comm_get_rank()), tag, count, msg_handler, fun_arg);
        return 0;
    }

    void sim_schedule(AstraSim::timespec_t delta, void (*fun_ptr)(void*), void* fun_arg) override
    {
        network_.schedule(static_cast<double>(delta.time_val), fun_ptr, fun_arg);
    }

    AstraSim::timespec_t sim_get_time() override { return {AstraSim::NS, network_.now_ns()}; }

private:
    static std::uint32_t id(int number) { return static_cast<std::uint32_t>(number); }

    NocturneNetwork& network_;
};
