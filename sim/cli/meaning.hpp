// What the words of a command line mean whose writer does not know how things are written here.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace nocturne::cli {

/// Whatever the order of the words, and the tool that they come from: `simulate 8x8 mesh transpose at 0.3`.
/// Empty members were not said.
struct Meaning {
    std::string network;                  ///< a specification, or a file
    std::string advice;                   ///< of a network that is not built in: how it is made
    std::string collective;               ///< as it was written, in one word
    std::string bytes;                    ///< with a unit of 1024: `1GiB`
    std::string bytes_said;               ///< as they were written, where that is another unit: `1GB`
    std::optional<double> link_rate;      ///< bytes a nanosecond
    std::optional<double> start_up;       ///< nanoseconds
    std::vector<std::string> timing_said; ///< these two as they were written
    std::string pattern;
    std::string routing;
    std::string load;
    std::string vcs;
    std::string file;                  ///< that exists, and is no network
    std::vector<std::string> left_out; ///< words that stand for nothing of these, in their order

    /// ` --pattern transpose --routing xy --vcs 4`: options of `traffic`, without the load.
    std::string traffic_options() const;

    /// ` --link-bytes 25 --cycle-ns 2 --start-cycles 500`: options of `schedule` and `bound`; empty where
    /// neither is said, or where networks have rates of their own.
    std::string timing_options() const;
};

Meaning meaning_of(const std::vector<std::string>& arguments);

} // namespace nocturne::cli
