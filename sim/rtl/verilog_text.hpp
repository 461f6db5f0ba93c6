// Pieces of Verilog.
#pragma once

#include "models/hardware/network_plan.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// `{c, b, a}` of a, b, c: a concatenation has the highest bits first.
std::string concatenation(const std::vector<std::string>& from_lowest);

/// `link_4_end`, `link_7_end` of 4, 7 and the prefix and suffix.
std::vector<std::string> signal_names(std::string_view prefix, const std::vector<std::uint32_t>& numbers,
                                      std::string_view suffix = {});

/// So many from the first on.
std::vector<std::uint32_t> numbers_from(std::uint32_t first, unsigned count);

/// For a README: the numbers of the channels, and of the links from and to processors.
std::string describe_links(const NetworkPlan& plan);

/// The parameter of a top level or a bench that says where its images are.
std::string_view images_parameter();
/// The part of a bench that makes clock and reset: cycle 0 is the first one without reset.
std::string_view clock_and_reset();
/// The part that opens the file of +trace=FILE as `trace`, which is 0 without.
std::string_view trace_file();

} // namespace nocturne
