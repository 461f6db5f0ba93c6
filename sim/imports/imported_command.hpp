// The result of an import: a command of Nocturne, and for each key of the configuration whether it is
// carried.
#pragma once

#include "sim/report/fields.hpp"

#include <string>
#include <vector>

namespace nocturne {

/// A text, and the name of its file in messages.
struct ForeignText {
    std::string text;
    std::string origin;
};

/// One key of the other format.
struct ImportedKey {
    std::string key;
    std::string value;     ///< as the file has it, or the other simulator's default
    bool is_given = false; ///< the file has the key
    std::string fate;      ///< `carried`, `no effect` or `not carried`
    std::string here;      ///< what replaces it in the command: `--load 0.1`; empty: nothing
    std::string remark;    ///< what differs, or why it is not carried; may be empty
};

struct ImportedCommand {
    std::string from;                   ///< `a BookSim2 configuration`
    std::vector<std::string> arguments; ///< of `nocturne`, its command first
    std::vector<std::string> notes;     ///< differences that belong to no single key
    std::string network;                ///< text of the network file that the command reads; empty: none
    std::vector<ImportedKey> keys;      ///< each key of the format once, in the order of the format
};

inline constexpr const char* key_carried = "carried";
inline constexpr const char* key_without_effect = "no effect";
inline constexpr const char* key_not_carried = "not carried";

Fields<ImportedKey> fields_of(const ImportedKey*);

} // namespace nocturne
