// The network that somebody means who does not know how it is written here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne::cli {

bool is_file_name(std::string_view text); ///< of a regular file that exists

/// Among all arguments, the values of options too: who asks wrongly for a command may ask so for options.
std::optional<std::string> first_of(const std::vector<std::string>& arguments,
                                    bool (*is_one)(std::string_view));

/// The value of `--name VALUE`, `--name=VALUE` or `name=VALUE`; empty if there is none.
std::string value_of(const std::vector<std::string>& arguments, std::string_view name);

/// The network in words that are almost one (`mesh8x8`, `mesh 8x8`, `mesh 8 8`), as a specification; empty if
/// there is none among them.
std::string near_network(const std::vector<std::string>& arguments);

/// A file of a network among the arguments, BookSim2's `k=8 n=2`, the machine of `8 gpus`, or near_network();
/// `otherwise` if there is none.
std::string network_in(const std::vector<std::string>& arguments, std::string_view otherwise = "mesh:4x4");

} // namespace nocturne::cli
