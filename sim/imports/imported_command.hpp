// What a configuration of another simulator becomes here: a command, and what is said of each of its keys.
#pragma once

#include "sim/report/fields.hpp"

#include <string>
#include <vector>

namespace nocturne {

/// One key of the other format.
struct ImportedKey {
    std::string key;
    std::string value;     ///< as the file has it, or the other simulator's default
    bool is_given = false; ///< in the file; otherwise left out
    std::string fate;      ///< `carried`, `no effect` or `not carried`
    std::string here;      ///< what it becomes: `--load 0.1`; empty: nothing
    std::string remark;    ///< what differs, or why it is not carried; may be empty
};

struct ImportedCommand {
    std::string from;                   ///< `a BookSim2 configuration`
    std::vector<std::string> arguments; ///< of `nocturne`, its command first
    std::vector<std::string> notes;     ///< what differs, of no key of its own
    std::string network;                ///< text of the file that the command names; empty: it needs none
    std::vector<ImportedKey> keys;      ///< each key of the format once, in its order
};

inline constexpr const char* key_carried = "carried";
inline constexpr const char* key_without_effect = "no effect";
inline constexpr const char* key_not_carried = "not carried";

Fields<ImportedKey> fields_of(const ImportedKey*);

} // namespace nocturne
