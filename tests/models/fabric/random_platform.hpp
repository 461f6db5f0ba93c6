// Random initiators and targets around a fabric, each with a protocol checker.
#pragma once

#include "models/fabric/fabric.hpp"
#include "models/fabric/protocol_checker.hpp"
#include "tests/models/fabric/random_initiator.hpp"
#include "tests/models/fabric/random_target.hpp"

#include <memory>
#include <vector>

namespace nocturne::test {

struct RandomPlatformConfig {
    std::string topology = "mesh:3x3";
    FabricConfig fabric;
    unsigned initiators = 4;
    unsigned targets = 3;
    RandomInitiator::Config initiator;
    RandomTarget::Config target;
    std::uint64_t seed = 1;
};

/// Target t answers for t * 0x10000, where initiator i has the slice from i * slice_bytes. Ports are at
/// random routers, several at one of them now and then.
class RandomPlatform {
public:
    explicit RandomPlatform(const RandomPlatformConfig& config);

    Fabric& fabric() { return *fabric_; }
    const std::vector<std::unique_ptr<RandomInitiator>>& initiators() const { return initiators_; }
    const std::vector<std::unique_ptr<RandomTarget>>& targets() const { return targets_; }

    /// What initiators, targets and checkers have found, a line each.
    std::vector<std::string> errors() const;
    /// What has not ended: transactions, and payloads that somebody holds.
    std::size_t left_over() const;

private:
    const Topology topology_;
    std::unique_ptr<Fabric> fabric_;
    std::vector<std::unique_ptr<RandomInitiator>> initiators_;
    std::vector<std::unique_ptr<RandomTarget>> targets_;
    std::vector<std::unique_ptr<ProtocolChecker<>>> checkers_;
};

} // namespace nocturne::test
