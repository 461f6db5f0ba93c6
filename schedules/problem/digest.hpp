// A short mark that tells problems apart.
#pragma once

#include "schedules/problem/problem.hpp"

#include <string>

namespace nocturne {

/// The whole problem, channel by channel and message by message, in 16 hexadecimal digits.
std::string digest(const Problem& problem);

} // namespace nocturne
