// A design in SystemVerilog as a value: files, and what they are called.
#pragma once

#include "models/topology/files.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nocturne {

using RtlFile = FolderFile;

/// Everything that a simulator or a synthesis tool reads when it runs in the folder of the files.
struct RtlDesign {
    std::string top;   ///< the module to be synthesized
    std::string bench; ///< the module to be simulated; no other is only for simulation but those it makes
    std::vector<RtlFile> files;

    /// Of those, the Verilog files of the bench, and of the design without it.
    std::vector<std::string> bench_sources;
    std::vector<std::string> design_sources;

    /// A file of the design, or of the bench.
    void add_source(RtlFile file);
    void add_bench_source(RtlFile file);
    void add(RtlFile file) { files.push_back(std::move(file)); }
};

/// The design with this prefix and `_` before the names of all modules and files but the README, so that two
/// can be parts of one. Throws std::invalid_argument for a prefix that is no name in Verilog of letters,
/// digits and `_`.
RtlDesign with_prefix(RtlDesign design, std::string_view prefix);

/// One of the modules that are the same in all designs, by the name of its file (`nocturne_delay.sv`). Throws
/// std::logic_error if there is none of that name.
RtlFile verilog_module(std::string_view name);

/// Bits that a number from 0 to `largest` takes; at least 1.
unsigned bits_for(std::uint64_t largest);

/// A word of a memory image, put together from fields, the lowest one first.
class HexWord {
public:
    void append(std::uint64_t value, unsigned bits);
    /// As $readmemh reads it: hexadecimal digits without a prefix, the highest one first.
    std::string text() const;

private:
    std::vector<bool> bits_;
};

} // namespace nocturne
