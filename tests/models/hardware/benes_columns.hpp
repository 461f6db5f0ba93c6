// A circuit-switched Benes network in SystemC: columns of crossbar switches that set up circuits, hold them
// while words pass and tear them down, and the terminals at both ends. models/benes/randomized_routing.hpp is
// the same without time and words.
#pragma once

#include "models/benes/randomized_routing.hpp"

#include <systemc>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace nocturne {

/// The lines between two columns, as the left one sees them.
class CircuitLines : virtual public sc_core::sc_interface {
public:
    /// Asks for a circuit. `tag` has one digit for each column from the next one on and stays until the
    /// release. The column decides within a clock cycle.
    virtual void request(std::uint32_t line, std::span<const std::uint16_t> tag) = 0;
    /// A word over what stands of a circuit. Is it at the other end of the network, within this clock cycle?
    /// If not, the circuit was blocked somewhere and the word is gone.
    virtual bool word(std::uint32_t line, std::uint64_t data) = 0;
    /// Gives up what stands of a circuit.
    virtual void release(std::uint32_t line) = 0;
};

/// A column of q x q crossbar switches.
class BenesColumn final : public sc_core::sc_module, public CircuitLines {
public:
    sc_core::sc_port<CircuitLines> out; ///< to the next column, or the terminals

    /// Counted from the left, from 0. The wiring must outlive it.
    BenesColumn(const sc_core::sc_module_name& name, const BenesWiring& wiring, unsigned column,
                const RandomizedRouting& routing, sc_core::sc_time clock);

    /// Crosspoints that are closed.
    std::size_t circuits() const { return circuits_; }

    void request(std::uint32_t line, std::span<const std::uint16_t> tag) override;
    bool word(std::uint32_t line, std::uint64_t data) override;
    void release(std::uint32_t line) override;

private:
    struct Request {
        std::uint32_t line;
        std::span<const std::uint16_t> tag;
    };

    void set_switches();
    std::uint32_t beyond(std::uint32_t output) const;

    const BenesWiring& wiring_;
    const unsigned column_;
    const RandomizedRouting routing_;
    const sc_core::sc_time clock_;
    std::uint32_t network_cycle_ = 0;
    std::vector<Request> requests_;        ///< of this clock cycle
    std::vector<std::uint32_t> winner_;    ///< by output: index of a request
    std::vector<std::uint32_t> output_of_; ///< by input: the output that its closed crosspoint leads to
    std::size_t circuits_ = 0;
    sc_core::sc_event decide_;
};

/// Sources and destinations of a permutation: all sources that are not through try in every network cycle,
/// which takes a clock cycle for each column and one for each word of a message.
class BenesTerminals final : public sc_core::sc_module, public CircuitLines {
public:
    sc_core::sc_port<CircuitLines> out; ///< to the first column

    /// `destination` is a permutation of the lines; a message has `words` (1 or more). Throws
    /// std::invalid_argument otherwise.
    BenesTerminals(const sc_core::sc_module_name& name, const BenesWiring& wiring,
                   std::span<const std::uint32_t> destination, const RandomizedRouting& routing,
                   std::uint32_t words, sc_core::sc_time clock);

    /// As PermutationRouter::route() returns it, once the simulation is over.
    const PermutationRun& run() const { return run_; }
    /// Is each message at its destination, once and word by word what its source sent?
    bool all_intact() const;

    void request(std::uint32_t line, std::span<const std::uint16_t> tag) override;
    bool word(std::uint32_t line, std::uint64_t data) override;
    void release(std::uint32_t line) override;

private:
    void act();
    void begin_network_cycle();
    void send_words();
    std::uint64_t content(std::uint32_t source, std::uint32_t word) const;

    const BenesWiring& wiring_;
    const RandomizedRouting routing_;
    const std::uint32_t words_;
    const sc_core::sc_time clock_;
    std::vector<std::uint32_t> destination_;
    std::vector<TagDraws> draws_;                      ///< by source
    std::vector<std::uint16_t> tags_;                  ///< by source and column
    std::vector<std::uint32_t> waiting_;               ///< sources that are not through
    std::vector<std::uint32_t> connected_;             ///< those whose circuits stand
    std::vector<std::vector<std::uint64_t>> received_; ///< by destination
    PermutationRun run_;
    std::uint32_t network_cycle_ = 0;
    std::uint32_t next_word_ = 0; ///< of the messages under way
    bool is_setting_up_ = false;
    sc_core::sc_event next_;
};

/// Columns and terminals, wired.
class BenesNetwork final : public sc_core::sc_module {
public:
    /// As BenesTerminals.
    BenesNetwork(const sc_core::sc_module_name& name, const BenesWiring& wiring,
                 std::span<const std::uint32_t> destination, const RandomizedRouting& routing,
                 std::uint32_t words, sc_core::sc_time clock);

    const BenesTerminals& terminals() const { return terminals_; }
    const std::vector<std::unique_ptr<BenesColumn>>& columns() const { return columns_; }

private:
    BenesTerminals terminals_;
    std::vector<std::unique_ptr<BenesColumn>> columns_;
};

} // namespace nocturne
