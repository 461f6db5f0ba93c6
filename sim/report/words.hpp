// Words that sentences about results are made of.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// `64 B`, `4 KiB`, `1500 B`.
std::string size_text(std::uint64_t bytes);
/// Four digits in ns, us, ms or s, whichever leaves one to three before the point: `26.22 µs`, `1.5 ms`.
std::string time_text(double ns);
/// Three digits; all of a number that has more before the point.
std::string short_number(double value);
/// `1 step`, `2 steps`.
std::string counted(std::uint64_t count, std::string_view noun);
/// `a`, `a and b`, `a, b and c`; of more than `most` the first, and how many others.
std::string listed(std::vector<std::string> names, std::size_t most = 4);
/// `, 1.29 times the lower bound of 3.26 ms (a cut)`, `, the least possible (a cut)`: a value beside the least
/// that is proven, which is above 0, and why; without a reason, without the parentheses.
std::string beside_bound(double value, double least, std::string_view least_text, std::string_view reason);
/// As its users call it: `all-to-all` of `alltoall`.
std::string collective_text(std::string_view name);
/// `all-to-all on octagon:8`, from the fields `collective` and `topology` of a result.
std::string subject_of(const nlohmann::ordered_json& result);

} // namespace nocturne
