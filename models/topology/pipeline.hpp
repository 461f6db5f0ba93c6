// The stages of a router.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// When a head without a virtual channel requests the switch.
enum class Speculation : std::uint8_t {
    none,
    /// In the cycle in which it requests its virtual channel, behind the flits that have theirs, and in vain
    /// if it does not get it.
    before_vc
};

/// Cycles that a head flit spends in each stage of a router. Body flits need only the last two, and find them
/// reserved.
struct Pipeline {
    unsigned route_computation = 1;              ///< 0 or more
    unsigned vc_allocation = 1;                  ///< 1 or more: the cycle in which the output is won
    unsigned switch_allocation = 1;              ///< 0 or more; 0: won together with the virtual channel
    unsigned switch_traversal = 1;               ///< 0 or more
    Speculation speculation = Speculation::none; ///< any other with a switch_allocation of 0 only

    /// From the arrival of a head flit to its departure onto the link, with no competitor.
    unsigned cycles() const
    {
        return route_computation + vc_allocation + switch_allocation + switch_traversal;
    }
    /// How much longer a head takes than a flit behind it that finds the way free.
    unsigned head_cycles() const { return route_computation + vc_allocation + switch_allocation - 1; }

    /// Throws std::invalid_argument naming the stage that is out of range, or contradicts the speculation.
    void validate() const;

    friend bool operator==(const Pipeline&, const Pipeline&) = default;
};

/// A wormhole router: four stages of one cycle each (Dally & Towles, Principles and Practices, ch. 16).
inline constexpr Pipeline wormhole_router_pipeline{};

/// The route has been computed in the router before (Dally & Towles, ch. 16).
inline constexpr Pipeline lookahead_pipeline{0, 1, 1, 1};

/// Switch allocation beside virtual-channel allocation (Peh & Dally 2001).
inline constexpr Pipeline speculative_pipeline{1, 1, 0, 1, Speculation::before_vc};

/// Both.
inline constexpr Pipeline lookahead_speculative_pipeline{0, 1, 0, 1, Speculation::before_vc};

/// A crossbar switch of a multistage network: the control tag names the output port, so that there is no
/// route to compute and one arbitration wins output and crossbar together; one more cycle traverses it.
inline constexpr Pipeline crossbar_switch_pipeline{0, 1, 0, 1};

/// `standard`, `lookahead`, `speculative`, `lookahead_speculative`, `crossbar`.
std::vector<std::string> pipeline_names();

/// One of these names, or four numbers of cycles RC,VA,SA,ST; throws std::invalid_argument for anything else.
/// What the numbers are is for Pipeline::validate().
Pipeline parse_pipeline(std::string_view text);

/// What parse_pipeline() reads: the numbers, or the name of what speculates.
std::string to_string(const Pipeline& pipeline);

} // namespace nocturne
