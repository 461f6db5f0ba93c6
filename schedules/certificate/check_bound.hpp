// The independent judge of bounds: shares nothing with what finds them, encoders included.
#pragma once

#include "schedules/certificate/bound.hpp"
#include "schedules/problem/problem.hpp"

#include <optional>
#include <string>

namespace nocturne {

/// Why the certificate of `bound` does not prove it for the problem, in one line: it belongs to another kind
/// of bound or another network, has a negative length, proves fewer steps, …; nothing if it does. A
/// certificate that proves more is fine.
///
/// Port, growth and distance bounds are computed again, lengths and vertex sets evaluated in 128 bits;
/// exhausted searches must have a proof, which is checked step by step against a formula that is made for it
/// from the problem alone. Throws as check().
std::optional<std::string> refute(const Problem& problem, const Bound& bound);

} // namespace nocturne
