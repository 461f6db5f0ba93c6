#include "tests/models/fabric/random_platform.hpp"

#include "models/topology/make_topology.hpp"

#include <fmt/format.h>

namespace nocturne::test {

namespace {

constexpr std::uint64_t range_bytes = 0x10000;

FabricPorts random_ports(const Topology& topology, const RandomPlatformConfig& config)
{
    SplitMix64 random(config.seed);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    FabricPorts ports;
    for (unsigned i = 0; i < config.initiators; ++i)
        ports.initiators.push_back({fmt::format("i{}", i), random.below(processors)});
    for (unsigned t = 0; t < config.targets; ++t)
        ports.targets.push_back({fmt::format("t{}", t), random.below(processors)});
    return ports;
}

AddressMap map_of(const RandomPlatformConfig& config)
{
    std::vector<AddressRange> ranges;
    for (unsigned t = 0; t < config.targets; ++t)
        ranges.push_back({fmt::format("t{}", t), t * range_bytes, t * range_bytes + config.target.bytes - 1});
    return AddressMap(ranges);
}

} // namespace

RandomPlatform::RandomPlatform(const RandomPlatformConfig& config) : topology_(make_topology(config.topology))
{
    const FabricPorts ports = random_ports(topology_, config);
    fabric_ = std::make_unique<Fabric>("fabric", topology_, map_of(config), ports, config.fabric);
    for (unsigned i = 0; i < config.initiators; ++i) {
        RandomInitiator::Config plan = config.initiator;
        for (unsigned t = 0; t < config.targets; ++t)
            plan.slices.push_back(t * range_bytes + i * plan.slice_bytes);
        plan.unmapped = config.targets * range_bytes;
        plan.seed = config.seed * 1000 + i;
        initiators_.push_back(
            std::make_unique<RandomInitiator>(fmt::format("initiator_{}", i).c_str(), plan));
        checkers_.push_back(
            std::make_unique<ProtocolChecker<>>(fmt::format("initiator_checker_{}", i).c_str()));
        initiators_.back()->socket.bind(checkers_.back()->target_socket);
        checkers_.back()->initiator_socket.bind(fabric_->target_socket<32>(ports.initiators[i].name));
    }
    for (unsigned t = 0; t < config.targets; ++t) {
        RandomTarget::Config plan = config.target;
        plan.seed = config.seed * 1000 + 500 + t;
        targets_.push_back(std::make_unique<RandomTarget>(fmt::format("target_{}", t).c_str(), plan));
        checkers_.push_back(std::make_unique<ProtocolChecker<>>(fmt::format("target_checker_{}", t).c_str()));
        fabric_->initiator_socket<32>(ports.targets[t].name).bind(checkers_.back()->target_socket);
        checkers_.back()->initiator_socket.bind(targets_.back()->socket);
    }
}

std::vector<std::string> RandomPlatform::errors() const
{
    std::vector<std::string> result;
    const auto add = [&](const sc_core::sc_module& module, const std::string& what) {
        if (!what.empty())
            result.push_back(fmt::format("{}: {}", module.name(), what));
    };
    for (const auto& initiator : initiators_)
        add(*initiator, initiator->error());
    for (const auto& target : targets_)
        add(*target, target->error());
    for (const auto& checker : checkers_)
        for (const std::string& violation : checker->rules().violations())
            add(*checker, violation);
    return result;
}

std::size_t RandomPlatform::left_over() const
{
    std::size_t result = fabric_->in_flight();
    for (const auto& initiator : initiators_)
        result += initiator->held();
    for (const auto& checker : checkers_)
        result += checker->rules().in_progress();
    return result;
}

} // namespace nocturne::test
