// What the words of a command line mean whose writer does not know how things are written here.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace nocturne::cli {

/// Whatever the order of the words, and the tool that they come from: `simulate 8x8 mesh transpose at 0.3`.
/// Empty members were not said.
struct Meaning {
    std::string network;             ///< a specification, or a file
    std::string advice;              ///< of a network that is not built in: how it is made
    std::string collective;          ///< as it was written, in one word
    std::string bytes;               ///< with a unit of 1024: `1GiB`
    std::string bytes_said;          ///< as they were written, where that is another unit: `1GB`
    std::string flit_bytes;          ///< of `128 bit`
    std::string cycle_ns;            ///< of `1 GHz`
    std::string processors;          ///< of `32 ranks`, where the network is not said
    std::optional<double> link_rate; ///< bytes a nanosecond
    std::optional<double> start_up;  ///< nanoseconds
    std::string pattern;
    std::string routing;
    std::string load;
    std::string vcs;
    /// What each of these was said with: `pattern`, `transpose`. What is of no use is left out then.
    std::vector<std::pair<std::string, std::string>> said;
    std::string file;                  ///< that exists, and is no network
    std::vector<std::string> left_out; ///< words that stand for nothing of these, in their order

    /// ` --pattern transpose --routing xy --vcs 4`: options of `traffic`, without the load.
    std::string traffic_options() const;
    /// ` --vcs 4 --flit-bytes 16 --cycle-ns 1`: those of them that say how the hardware is made.
    std::string hardware_options() const;

    /// ` --link-bytes 25 --cycle-ns 2 --start-cycles 500`: options of `schedule` and `bound`; empty where
    /// neither is said, or where networks have rates of their own.
    std::string timing_options() const;
};

Meaning meaning_of(const std::vector<std::string>& arguments);

} // namespace nocturne::cli
