#include "testbenches/fabric_timing/platform.hpp"

#include <cmath>
#include <cstring>

namespace nocturne::fabric_timing {

IdealMemory::IdealMemory(const sc_core::sc_module_name& name, std::size_t bytes)
    : sc_module(name), bytes_(bytes)
{
    socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
}

void IdealMemory::access(tlm::tlm_generic_payload& payload)
{
    std::uint8_t* const place = bytes_.data() + payload.get_address();
    if (payload.is_write())
        std::memcpy(place, payload.get_data_ptr(), payload.get_data_length());
    else
        std::memcpy(payload.get_data_ptr(), place, payload.get_data_length());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

tlm::tlm_sync_enum IdealMemory::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                sc_core::sc_time&)
{
    if (phase == tlm::BEGIN_REQ)
        access(payload);
    return tlm::TLM_COMPLETED;
}

TrafficInitiator::TrafficInitiator(const sc_core::sc_module_name& name, const TrafficPlan& plan,
                                   unsigned targets, double cycle_ns)
    : sc_module(name), plan_(plan), targets_(targets), cycle_ns_(cycle_ns),
      end_(static_cast<double>(plan.end_cycle) * cycle_ns, sc_core::SC_NS), random_(plan.seed)
{
    socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
    SC_HAS_PROCESS(TrafficInitiator);
    SC_THREAD(run);
}

void TrafficInitiator::run()
{
    if (plan_.asking == Asking::open)
        run_open();
    else if (plan_.asking == Asking::window)
        run_window();
    else {
        for (unsigned thread = 1; thread < plan_.threads; ++thread)
            sc_core::sc_spawn([this] { run_blocking(); });
        run_blocking();
    }
}

/// Exponential, in whole cycles.
sc_core::sc_time TrafficInitiator::draw_gap()
{
    const double cycles = std::round(-std::log(1 - random_.uniform()) * plan_.gap_cycles);
    return sc_core::sc_time(cycles * cycle_ns_, sc_core::SC_NS);
}

TrafficInitiator::Payload& TrafficInitiator::draw()
{
    if (unused_.empty()) {
        payloads_.emplace_back(static_cast<tlm::tlm_mm_interface*>(this));
        payloads_.back().data.resize(plan_.most_bytes);
        payloads_.back().set_data_ptr(payloads_.back().data.data());
        unused_.push_back(&payloads_.back());
    }
    Payload& payload = *unused_.back();
    unused_.pop_back();
    payload.acquire();
    const unsigned bytes =
        plan_.least_bytes + 4 * random_.below((plan_.most_bytes - plan_.least_bytes) / 4 + 1);
    payload.set_command(random_.below(100) < plan_.read_percent ? tlm::TLM_READ_COMMAND
                                                                : tlm::TLM_WRITE_COMMAND);
    payload.set_address(random_.below(targets_) * target_bytes +
                        64 * random_.below((unsigned{target_bytes} - plan_.most_bytes) / 64 + 1));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    return payload;
}

void TrafficInitiator::run_open()
{
    for (wait(draw_gap()); sc_core::sc_time_stamp() < end_; wait(draw_gap())) {
        Payload& payload = draw();
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        ++under_way_;
        socket->nb_transport_fw(payload, phase, delay);
    }
}

void TrafficInitiator::run_window()
{
    while (sc_core::sc_time_stamp() < end_) {
        while (under_way_ >= plan_.outstanding || awaits_end_request_)
            wait(one_has_ended_);
        Payload& payload = draw();
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        ++under_way_;
        awaits_end_request_ = socket->nb_transport_fw(payload, phase, delay) == tlm::TLM_ACCEPTED;
        wait(draw_gap());
    }
}

void TrafficInitiator::run_blocking()
{
    tlm_utils::tlm_quantumkeeper::set_global_quantum(
        sc_core::sc_time(plan_.quantum_cycles * cycle_ns_, sc_core::SC_NS));
    tlm_utils::tlm_quantumkeeper keeper;
    keeper.reset();
    for (keeper.inc(draw_gap()); keeper.get_current_time() < end_; keeper.inc(draw_gap())) {
        if (keeper.need_sync())
            keeper.sync();
        Payload& payload = draw();
        sc_core::sc_time delay = keeper.get_local_time();
        socket->b_transport(payload, delay);
        keeper.set(delay);
        ++completed_;
        payload.release();
    }
}

tlm::tlm_sync_enum TrafficInitiator::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                     sc_core::sc_time&)
{
    if (phase == tlm::END_REQ)
        awaits_end_request_ = false;
    one_has_ended_.notify(sc_core::SC_ZERO_TIME);
    if (phase != tlm::BEGIN_RESP)
        return tlm::TLM_ACCEPTED;
    ++completed_;
    --under_way_;
    payload.release();
    return tlm::TLM_COMPLETED;
}

void TrafficInitiator::free(tlm::tlm_generic_payload* payload)
{
    unused_.push_back(static_cast<Payload*>(payload));
}

FabricPorts ports_everywhere(const Topology& topology)
{
    FabricPorts ports;
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        ports.initiators.push_back({"cpu " + topology.processor(id).name, id});
        ports.targets.push_back({"memory " + topology.processor(id).name, id});
    }
    return ports;
}

AddressMap map_everywhere(const Topology& topology)
{
    std::vector<AddressRange> ranges;
    for (std::uint64_t id = 0; id < topology.processor_count(); ++id)
        ranges.push_back({"memory " + topology.processor(static_cast<ProcessorId>(id)).name,
                          id * target_bytes, (id + 1) * target_bytes - 1});
    return AddressMap(std::move(ranges));
}

} // namespace nocturne::fabric_timing
