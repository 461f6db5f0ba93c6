// Every packet of a run in a file, written as packets arrive: memory does not follow their number.
#pragma once

#include "models/endpoints/message_observer.hpp"
#include "models/topology/files.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace nocturne {

/// Which packets are written, and where. A value.
struct PacketLogPlan {
    ByteSink sink = {};       ///< takes the CSV piece by piece; empty: nothing is written
    std::uint64_t sample = 1; ///< one of so many packets in the mean, 1 or more
    std::uint64_t seed = 1;   ///< of the sample
};

/// Writes a line for each packet that arrives or is lost to a fault, in this order in time, under the header
///
///     class,packet,source,destination,flits,created_cycle,injected_cycle,ejected_cycle,hops,latency_cycles,
///     latency_ns
///
/// (one line). `packet` is its number among those of its class and source from 0, of a trace its number
/// there; cycles count from the beginning of the simulation; the packet is created when it enters the source
/// queue, injected with its head, and ejected with its last flit; hops are channels between routers. Of a
/// packet that is lost the last four are empty. A sample takes a packet or not by a hash of class, source,
/// number and seed, which is no more likely for one packet than for another.
class PacketLog {
public:
    /// What the packets of a class are called, and which number is that of a packet.
    struct Class {
        std::string name;
        bool is_numbered_by_tag = false; ///< or by NetworkMessage::number
    };

    /// `names`: of the processors, by their number; of those behind them the names begin again. The network
    /// must outlive it. Throws std::invalid_argument for a sample of 0.
    PacketLog(const MessageNetwork& network, PacketLogPlan plan, double cycle_ns,
              std::vector<std::string> names);

    void delivered(const Class& of, const NetworkMessage& message);
    void lost(const Class& of, const NetworkMessage& message);
    /// What is left to write.
    void finish();

private:
    bool is_sampled(const Class& of, const NetworkMessage& message) const;
    const std::string& name_of(ProcessorId id) const { return names_[id % names_.size()]; }
    void begin_line(const Class& of, const NetworkMessage& message);
    void end_line();

    const MessageNetwork& network_;
    const PacketLogPlan plan_;
    const double cycle_ns_;
    std::vector<std::string> names_; ///< as they stand in CSV
    std::string text_;
};

/// The packets of one class into a log.
class LoggedClass final : public MessageObserver {
public:
    /// The log must outlive it.
    LoggedClass(PacketLog& log, PacketLog::Class of) : log_(log), of_(std::move(of)) {}

    void message_created(const NetworkMessage&) override {}
    void message_delivered(const NetworkMessage& message, ProcessorId) override
    {
        log_.delivered(of_, message);
    }
    void message_lost(const NetworkMessage& message) override { log_.lost(of_, message); }

private:
    PacketLog& log_;
    const PacketLog::Class of_;
};

/// The names of a network's processors.
std::vector<std::string> processor_names(const Topology& topology);

} // namespace nocturne
