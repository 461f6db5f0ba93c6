// One step of the broadcast of a single message, as a flow: from those who have it to those who get it.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace nocturne {

/// What a step offers to a single message: a network in which every unit of flow is a transfer. Under
/// wormhole switching its nodes are the routers and its arcs the channels. Under store-and-forward a router
/// is two nodes, one where messages start and one where they end, so that no flow passes it.
class StepNetwork {
public:
    using Node = std::uint32_t;
    struct Arc {
        Node from;
        Node to;
        std::uint32_t capacity;
        std::optional<ChannelId> channel; ///< none within a router
    };

    explicit StepNetwork(const Problem& problem);

    Node node_count() const { return node_count_; }
    const std::vector<Arc>& arcs() const { return arcs_; }
    /// Arcs into and out of a node.
    const std::vector<std::uint32_t>& arcs_at(Node node) const { return arcs_at_[node]; }

    ProcessorId processor_count() const { return static_cast<ProcessorId>(injection_.size()); }
    Node injection(ProcessorId p) const { return injection_[p]; }
    Node ejection(ProcessorId p) const { return ejection_[p]; }
    std::uint32_t send_ports(ProcessorId p) const { return send_ports_[p]; }

private:
    Node node_count_;
    std::vector<Arc> arcs_;
    std::vector<std::vector<std::uint32_t>> arcs_at_;
    std::vector<Node> injection_;
    std::vector<Node> ejection_;
    std::vector<std::uint32_t> send_ports_;
};

/// A flow in it from processors that send to processors that receive; every receiver gets its unit. A value:
/// a copy undoes what was tried.
class StepFlow {
public:
    /// No processor receives yet; each that has the message can send. The network must outlive the flow.
    StepFlow(const StepNetwork& network, const std::vector<bool>& has_message);

    /// `p` gets the message from others. If it could send until now, others send what it sent. False, and the
    /// flow is of no more use, if that is not possible.
    bool receive(ProcessorId p);

    /// The transfers, on paths without cycles.
    Step transfers() const;

private:
    bool bring_unit(StepNetwork::Node to);

    const StepNetwork* network_;
    std::vector<char> can_send_;
    std::vector<char> receives_;
    std::vector<std::uint32_t> supply_;      ///< by node: what the processors there can send
    std::vector<std::uint32_t> supply_left_; ///< by node
    std::vector<std::uint32_t> flow_;        ///< by arc
};

} // namespace nocturne
