// The keys of a foreign format as a table, and a command that is drawn up from their values.
#pragma once

#include "sim/imports/imported_command.hpp"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nocturne {

struct ForeignKey {
    std::string_view name;
    std::string_view otherwise; ///< the other simulator's default; empty text: none
    /// Values, with `|` between, that need no option here: `0|-1`. `*`: no value changes a result.
    std::string_view alike = {};
    /// Why other values are not carried; for `*`, what the key is about.
    std::string_view remark = {};
    /// The option here that takes the same value.
    std::string_view option = {};
};

/// Values by their keys, as a file gives them.
using ForeignValues = std::vector<std::pair<std::string, std::string>>;

/// Builds a command. Every key of the table ends up carried (add(), carry()), not carried (leave()), without
/// effect (ignore()), or as its row says.
class CommandDraft {
public:
    /// `from`: as ImportedCommand::from. `tool`: as in neighbour_words(), whose differences become remarks of
    /// carried keys. `origin` begins messages. If a key is given several times, the last one counts. Throws
    /// std::runtime_error for a key that is not in the table, with the nearest name.
    CommandDraft(std::string_view from, std::string_view tool, std::string origin,
                 std::span<const ForeignKey> table, const ForeignValues& values);

    const std::string& text(std::string_view key) const;
    bool is_given(std::string_view key) const;
    /// Throw std::runtime_error for another text.
    double number(std::string_view key) const;
    std::uint64_t count(std::string_view key, std::uint64_t least = 0, std::uint64_t most = 1u << 30) const;

    /// Adds a word to the command.
    void add_word(std::string word) { command_.arguments.push_back(std::move(word)); }
    /// Adds the option, which carries these keys. An empty value: the option takes none.
    void add(std::string_view option, const std::string& value, std::initializer_list<std::string_view> keys,
             std::string_view remark = {});
    /// These keys are carried by `here`, a part of the command or of the network file.
    void carry(std::initializer_list<std::string_view> keys, std::string_view here,
               std::string_view remark = {});
    void leave(std::string_view key, std::string_view reason);
    /// The key has no effect, there or here.
    void ignore(std::string_view key, std::string_view reason);
    /// A difference that belongs to no single key.
    void note(std::string text) { command_.notes.push_back(std::move(text)); }
    /// Text of the network file that the command reads.
    void set_network(std::string text) { command_.network = std::move(text); }

    [[noreturn]] void fail(std::string_view reason) const;
    /// For a pattern that has no name here, since another one would be simulated in its place: `uniform` is
    /// the setting with which the file can be imported.
    [[noreturn]] void refuse_pattern(std::string_view pattern, std::string_view uniform) const;

    /// Adds the options of rows that have one, and decides the remaining keys by their rows. Throws
    /// std::logic_error for a key that neither the caller nor its row decides.
    ImportedCommand finish();

private:
    ImportedKey& key(std::string_view name);
    const ImportedKey& key(std::string_view name) const;

    std::string tool_;
    std::string origin_;
    std::span<const ForeignKey> table_;
    ImportedCommand command_;
};

} // namespace nocturne
