#include "models/traffic/npe_events.hpp"

#include "models/text/unknown_name.hpp"
#include "models/topology/input_log.hpp"
#include "models/traffic/npe_grid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace nocturne {

namespace {

constexpr std::uint32_t data_flits_of_a_packet = 256;
constexpr std::size_t most_event_operations = std::size_t{1} << 24; ///< some gigabytes

enum class NpeKind : std::uint8_t { zone, prepare, read, write, multicast, increment, start, end, other };

/// What a type of events is, and whose answers it waits for.
struct NpeType {
    std::string_view name;
    NpeKind kind;
    bool is_of_reads = false; ///< not of writes; of a barrier and of what is prepared
    bool is_of_both = false;
};

constexpr NpeType npe_types[] = {
    {"READ", NpeKind::read, true},
    {"READ_WITH_STATE", NpeKind::read, true},
    {"READ_WITH_STATE_AND_TRID", NpeKind::read, true},
    {"READ_DRAM_SHARDED_WITH_STATE", NpeKind::read, true},
    {"READ_SET_STATE", NpeKind::prepare, true},
    {"READ_DRAM_SHARDED_SET_STATE", NpeKind::prepare, true},
    {"READ_BARRIER_START", NpeKind::start, true},
    {"READ_BARRIER_END", NpeKind::end, true},
    {"WRITE", NpeKind::write},
    {"WRITE_", NpeKind::write},
    {"WRITE_INLINE", NpeKind::write},
    {"WRITE_WITH_TRID", NpeKind::write},
    {"WRITE_WITH_STATE", NpeKind::write},
    {"WRITE_WITH_TRID_WITH_STATE", NpeKind::write},
    {"WRITE_SET_STATE", NpeKind::prepare},
    {"WRITE_WITH_TRID_SET_STATE", NpeKind::prepare},
    {"WRITE_MULTICAST", NpeKind::multicast},
    {"WRITE_BARRIER_START", NpeKind::start},
    {"WRITE_BARRIER_END", NpeKind::end},
    {"SEMAPHORE_INC", NpeKind::increment},
    {"FULL_BARRIER_START", NpeKind::start, false, true},
    {"FULL_BARRIER_END", NpeKind::end, false, true},
};

/// Of a core that issues.
struct NpeEvent {
    std::uint32_t number; ///< in the file, from 1
    std::uint64_t cycle;
    const nlohmann::json* members;
};

class NpeEventsReader {
public:
    NpeEventsReader(const Topology& topology, const std::string& path)
        : topology_(topology), path_(path), grid_(topology, path)
    {
    }

    RankPrograms read()
    {
        ByteSource bytes(path_);
        const nlohmann::json document = read_npe_json(path_, bytes);
        programs_.path = path_;
        programs_.form = RankPrograms::Form::npe_events;
        programs_.servers.emplace();
        programs_.ranks = 2 * static_cast<std::uint32_t>(topology_.processor_count());
        std::map<std::tuple<std::uint64_t, std::uint64_t, std::string>, std::vector<NpeEvent>> cores;
        std::uint64_t first = ~std::uint64_t{0}, last = 0;
        for (const nlohmann::json& event : document) {
            ++number_;
            if (!event.is_object())
                fail("no event, which is an object");
            check_chip(event);
            const std::uint64_t x = count(event, "sx"), y = count(event, "sy");
            check_place(x, y);
            const NpeEvent one{number_, count(event, "timestamp"), &event};
            first = std::min(first, one.cycle);
            last = std::max(last, one.cycle);
            cores[{x, y, text(event, "proc")}].push_back(one);
        }
        for (auto& [core, events] : cores) {
            std::ranges::stable_sort(events, {}, &NpeEvent::cycle);
            run_core(std::get<0>(core), std::get<1>(core), events, first);
        }
        programs_.captured_cycles = cores.empty() ? 0 : last - first;
        remark();
        return std::move(programs_);
    }

private:
    using Kind = RankPrograms::Kind;

    [[noreturn]] void fail(const std::string& what) const
    {
        throw std::runtime_error(one_line(fmt::format("{}: event {}: {}", path_, number_, what)));
    }

    std::uint64_t count(const nlohmann::json& event, const char* key) const
    {
        const auto found = event.find(key);
        if (found == event.end() || !found->is_number_unsigned())
            fail(fmt::format("'{}' is no number of 0 or more", key));
        return found->get<std::uint64_t>();
    }

    static std::string text(const nlohmann::json& event, const char* key)
    {
        const auto found = event.find(key);
        return found != event.end() && found->is_string() ? found->get<std::string>() : std::string();
    }

    void check_place(std::uint64_t x, std::uint64_t y) const
    {
        if (!grid_.has(x, y))
            fail(fmt::format("a place outside the {} rows and {} columns of {}", grid_.rows(),
                             grid_.columns(), topology_.name()));
    }

    void check_chip(const nlohmann::json& event)
    {
        for (const char* const key : {"src_device_id", "dst_device_id"})
            if (const auto found = event.find(key); found != event.end()) {
                if (!chip_)
                    chip_ = *found;
                if (*found != *chip_)
                    fail("events of several chips; those of one are read");
            }
    }

    static NpeType type_of(const std::string& name)
    {
        const auto* const known = std::ranges::find(npe_types, name, &NpeType::name);
        if (known != std::end(npe_types))
            return *known;
        return {{}, name.empty() ? NpeKind::zone : NpeKind::other};
    }

    /// Where the transfer goes, and its bytes: what the event says of it, or what prepared it.
    struct Transfer {
        NpeRectangle to;
        std::uint64_t bytes = 0;
    };

    static bool has_place(const nlohmann::json& event)
    {
        const auto x = event.find("dx");
        return x != event.end() && x->is_number_unsigned();
    }

    Transfer transfer_of(const nlohmann::json& event, NpeKind kind, const Transfer& prepared) const
    {
        Transfer transfer = prepared;
        if (kind == NpeKind::multicast) {
            transfer.to = with_ordered_ends({count(event, "mcast_start_x"), count(event, "mcast_start_y"),
                                             count(event, "mcast_end_x"), count(event, "mcast_end_y")});
        } else if (has_place(event)) {
            const std::uint64_t x = count(event, "dx"), y = count(event, "dy");
            transfer.to = {x, y, x, y};
        } else if (prepared.bytes == 0) {
            count(event, "dx"); // says what is missing
        }
        check_place(transfer.to.last_x, transfer.to.last_y);
        if (const auto bytes = event.find("num_bytes");
            bytes != event.end() && bytes->is_number_unsigned() && *bytes != 0)
            transfer.bytes = bytes->get<std::uint64_t>();
        return transfer;
    }

    std::uint64_t network_of(const nlohmann::json& event) const
    {
        const std::string name = text(event, "noc");
        const auto network = grid_.network_of(name);
        if (!network)
            fail(fmt::format("'noc' '{}': {} has NOC_0 to NOC_{}", shortened(name), topology_.name(),
                             grid_.networks() - 1));
        return *network;
    }

    std::uint32_t add(Kind kind, ProcessorId rank, std::vector<std::uint32_t> after)
    {
        if (programs_.operations.size() == most_event_operations) // multicasts make many of a line
            fail(fmt::format("more than {} operations", most_event_operations));
        RankPrograms::Operation operation;
        operation.kind = kind;
        operation.rank = rank;
        operation.after = std::move(after);
        operation.line = number_;
        programs_.operations.push_back(std::move(operation));
        return static_cast<std::uint32_t>(programs_.operations.size() - 1);
    }

    /// A message after `after`; returns the operation that has it. Of 0 bytes it is a flit without a header.
    std::uint32_t message(ProcessorId from, ProcessorId to, std::uint64_t bytes, std::uint32_t after)
    {
        const std::uint32_t send = add(Kind::send, from, {after}), receive = add(Kind::receive, to, {});
        for (const std::uint32_t id : {send, receive}) {
            RankPrograms::Operation& operation = programs_.operations[id];
            operation.peer = id == send ? to : from;
            operation.tag = tags_;
            operation.bytes = bytes;
            operation.data_flits_of_a_header = bytes == 0 ? 0 : data_flits_of_a_packet;
        }
        ++tags_;
        return receive;
    }

    /// A core that issues, as far as its events have been read. Of two entries the first is of writes.
    struct Core {
        std::uint64_t x, y;
        ProcessorId home;
        std::uint32_t cpu;
        std::uint64_t now;                                   ///< cycle of the capture
        std::optional<std::uint32_t> last{};                 ///< operation
        std::array<std::vector<std::uint32_t>, 2> answers{}; ///< that no barrier has waited for
        std::array<Transfer, 2> prepared{};
        std::array<bool, 2> is_in_barrier{};
    };

    void run_core(std::uint64_t x, std::uint64_t y, const std::vector<NpeEvent>& events, std::uint64_t begin)
    {
        const ProcessorId home = grid_.processor_at(0, x, y);
        Core core{.x = x, .y = y, .home = home, .cpu = cpus_[home]++, .now = begin};
        for (const NpeEvent& event : events) {
            number_ = event.number;
            take(core, event, text(*event.members, "type"));
        }
    }

    /// The core computes until that cycle of the capture, or waits for what is to be over before.
    void compute(Core& core, std::uint64_t until, std::vector<std::uint32_t> after = {})
    {
        const bool waits = !after.empty(); // as long as that takes
        if (core.last)
            after.push_back(*core.last);
        core.last = add(Kind::compute, core.home, std::move(after));
        programs_.operations[*core.last].cpu = core.cpu;
        programs_.operations[*core.last].cycles = waits ? 0 : until - core.now;
        core.now = until;
    }

    void take(Core& core, const NpeEvent& event, const std::string& name)
    {
        if (name.starts_with("FABRIC_"))
            fail(fmt::format("{}: transfers between chips are not read", shortened(name)));
        const NpeType type = type_of(name);
        const std::size_t side = type.is_of_reads ? 1 : 0;
        std::vector<std::uint32_t> after;
        const bool ends_barrier = type.kind == NpeKind::end && std::exchange(core.is_in_barrier[side], false);
        if (ends_barrier) {
            after = std::exchange(core.answers[side], {});
            if (type.is_of_both) {
                after.insert(after.end(), core.answers[1].begin(), core.answers[1].end());
                core.answers[1].clear();
            }
        }
        compute(core, event.cycle, std::move(after));
        switch (type.kind) {
        case NpeKind::zone:
            break;
        case NpeKind::prepare:
            core.prepared[side] = transfer_of(*event.members, type.kind, {});
            break;
        case NpeKind::start:
            core.is_in_barrier[side] = true;
            break;
        case NpeKind::end:
        case NpeKind::other:
            if (!ends_barrier)
                ++not_modelled_[name];
            break;
        case NpeKind::read:
        case NpeKind::write:
        case NpeKind::multicast:
        case NpeKind::increment:
            ask(core, *event.members, type, name);
            break;
        }
    }

    /// Sends what is asked for, and lets it be answered.
    void ask(Core& core, const nlohmann::json& event, const NpeType& type, const std::string& name)
    {
        const std::size_t side = type.is_of_reads ? 1 : 0;
        const bool is_prepared = name.find("WITH_STATE") != std::string::npos;
        const Transfer transfer =
            transfer_of(event, type.kind, is_prepared ? core.prepared[side] : Transfer{});
        const bool is_in_head = type.kind == NpeKind::increment || name == "WRITE_INLINE";
        if (!is_in_head && transfer.bytes == 0)
            fail("'num_bytes' is no number of 1 or more");
        const std::uint64_t bytes = is_in_head ? 0 : transfer.bytes, network = network_of(event);
        const ProcessorId from = grid_.processor_at(network, core.x, core.y);
        std::vector<std::uint32_t> come;
        for (const auto& [x, y] : receivers_of(event, type, transfer.to))
            come.push_back(message(from, programs_.ranks / 2 + grid_.processor_at(network, x, y),
                                   type.is_of_reads ? 0 : bytes, *core.last));
        for (const std::uint32_t receive : come) {
            programs_.operations[receive - 1].copies =
                receive == come.front() ? static_cast<std::uint32_t>(come.size()) : 0;
            core.answers[side].push_back(
                message(programs_.operations[receive].rank, from, type.is_of_reads ? bytes : 0, receive));
        }
        if (const auto linked = event.find("linked"); linked != event.end() && *linked == true)
            programs_.operations[come.front() - 1].keeps_reservation = true;
    }

    using Place = std::pair<std::uint64_t, std::uint64_t>;

    /// All of the rectangle, unless the event says which of them.
    std::vector<Place> receivers_of(const nlohmann::json& event, const NpeType& type,
                                    const NpeRectangle& rectangle) const
    {
        std::vector<Place> places;
        const auto said = event.find("receivers");
        if (type.kind != NpeKind::multicast || said == event.end()) {
            for (std::uint64_t y = rectangle.first_y; y <= rectangle.last_y; ++y)
                for (std::uint64_t x = rectangle.first_x; x <= rectangle.last_x; ++x)
                    places.emplace_back(x, y);
            return places;
        }
        const auto is_count = [](const nlohmann::json& value) { return value.is_number_unsigned(); };
        for (const nlohmann::json& place : *said) {
            if (!place.is_array() || place.size() != 2 || !std::ranges::all_of(place, is_count))
                fail("'receivers' is no list of places [x, y]");
            places.emplace_back(place[0].get<std::uint64_t>(), place[1].get<std::uint64_t>());
            check_place(places.back().first, places.back().second);
            if (std::ranges::count(places, places.back()) > 1)
                fail("'receivers' has a place twice");
        }
        if (places.empty())
            fail("'receivers' is no list of places [x, y]");
        return places;
    }

    void remark() const
    {
        std::vector<std::string> kinds;
        for (const auto& [name, times] : not_modelled_)
            kinds.push_back(fmt::format("{} ({})", shortened(name), times));
        InputLog::remark(one_line(fmt::format(
            "{}: events of tt-npe: the time between events is that of the capture; virtual channels are not "
            "used{}",
            path_,
            kinds.empty() ? std::string() : fmt::format("; as time only: {}", fmt::join(kinds, ", ")))));
    }

    const Topology& topology_;
    const std::string path_;
    const NpeGrid grid_;
    RankPrograms programs_;
    std::uint32_t number_ = 0; ///< of the event
    std::uint64_t tags_ = 0;   ///< every message has its own
    std::map<ProcessorId, std::uint32_t> cpus_;
    std::map<std::string, std::uint64_t> not_modelled_;
    std::optional<nlohmann::json> chip_;
};

} // namespace

bool is_npe_events(const std::string& path)
{
    ByteSource bytes(path);
    return begins_with(bytes, '[');
}

RankPrograms read_npe_events(const Topology& topology, const std::string& path)
{
    return NpeEventsReader(topology, path).read();
}

} // namespace nocturne
