// Every packet of a run in a file, written as packets arrive: memory does not follow their number.
#pragma once

#include "models/endpoints/message_observer.hpp"
#include "models/topology/files.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nocturne {

enum class PacketLogFormat { csv, binary };

/// Binary if the name ends in `.bin`.
PacketLogFormat packet_log_format(std::string_view file);

/// Which packets are written, and where. A value.
struct PacketLogPlan {
    ByteSink sink = {};       ///< takes the log piece by piece; empty: nothing is written
    std::uint64_t sample = 1; ///< one of so many packets in the mean, 1 or more
    std::uint64_t seed = 1;   ///< of the sample
    PacketLogFormat format = PacketLogFormat::csv;
};

/// A packet in a binary log, little-endian.
struct PacketRecord {
    std::uint64_t created_cycle;
    std::uint64_t injected_cycle;
    std::uint64_t ejected_cycle; ///< 0: lost to a fault
    std::uint32_t of_class;      ///< in the header's `classes`
    std::uint32_t packet;
    std::uint32_t source; ///< in the header's `processors`
    std::uint32_t destination;
    std::uint32_t flits;
    std::uint32_t hops; ///< 0 of one that is lost
};
static_assert(sizeof(PacketRecord) == 48);

/// Writes a line for each packet that arrives or is lost to a fault, in this order in time, under the header
///
///     class,packet,source,destination,flits,created_cycle,injected_cycle,ejected_cycle,hops,latency_cycles,
///     latency_ns
///
/// (one line). `packet` is its number among those of its class and source from 0, of a trace its number
/// there; cycles count from the beginning of the simulation; the packet is created when it enters the source
/// queue, injected with its head, and ejected with its last flit; hops are channels between routers. Of a
/// packet that is lost the last four are empty.
///
/// A binary log is a line of JSON, filled up with spaces to a multiple of 64 bytes, and a PacketRecord for
/// each packet. The line has `format` (`nocturne-packets`), `version` (1), `record_bytes` (48), `fields`
/// (name and type of each member, as numpy.dtype takes them), `classes` and `processors` (their names),
/// `cycle_ns`, `sample` and `seed`.
///
/// A sample takes a packet or not by a hash of class, source,
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

    /// Its number, from 0 on. Before the first packet.
    std::uint32_t add(Class of);
    void delivered(std::uint32_t of_class, const NetworkMessage& message);
    void lost(std::uint32_t of_class, const NetworkMessage& message);
    /// What is left to write.
    void finish();

private:
    bool is_sampled(std::uint32_t of_class, std::uint32_t packet, ProcessorId source) const;
    /// `ejected`: 0 if it is lost.
    void write(std::uint32_t of_class, const NetworkMessage& message, std::uint64_t ejected);
    void write_line(const PacketRecord& record);
    std::string header() const;

    const MessageNetwork& network_;
    const PacketLogPlan plan_;
    const double cycle_ns_;
    const std::vector<std::string> names_;
    std::vector<std::string> quoted_names_; ///< as they stand in CSV
    std::vector<std::string> quoted_classes_;
    std::vector<Class> classes_;
    bool has_begun_ = false;
    std::string text_;
};

/// The packets of one class into a log.
class LoggedClass final : public MessageObserver {
public:
    /// The log must outlive it.
    LoggedClass(PacketLog& log, PacketLog::Class of) : log_(log), number_(log.add(std::move(of))) {}

    void message_created(const NetworkMessage&) override {}
    void message_delivered(const NetworkMessage& message, ProcessorId) override
    {
        log_.delivered(number_, message);
    }
    void message_lost(const NetworkMessage& message) override { log_.lost(number_, message); }

private:
    PacketLog& log_;
    const std::uint32_t number_;
};

/// The names of a network's processors.
std::vector<std::string> processor_names(const Topology& topology);

} // namespace nocturne
