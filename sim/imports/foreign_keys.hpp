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
    /// Values, with `|` between, that say what happens here without a word: `0|-1`. `*`: whatever its value,
    /// no result hangs on it.
    std::string_view alike = {};
    /// Of another value: why it is not carried. Of `*`: what it is about.
    std::string_view remark = {};
    /// The option here that takes the value as it is.
    std::string_view option = {};
};

/// Values by their keys, as a file gives them.
using ForeignValues = std::vector<std::pair<std::string, std::string>>;

/// A command in the making. Every key of the table ends up carried (add(), carry()), left (leave()), or as
/// its row says.
class CommandDraft {
public:
    /// `from`: as of ImportedCommand. `tool`: as in neighbour_words(), whose differences are said of keys
    /// that are carried. `origin` begins messages. Throws std::runtime_error for a key that the table has
    /// not, with the nearest one. Of a key that is given several times the last counts.
    CommandDraft(std::string_view from, std::string_view tool, std::string origin,
                 std::span<const ForeignKey> table, const ForeignValues& values);

    const std::string& text(std::string_view key) const;
    bool is_given(std::string_view key) const;
    /// Throw std::runtime_error for another text.
    double number(std::string_view key) const;
    std::uint64_t count(std::string_view key, std::uint64_t least = 0, std::uint64_t most = 1u << 30) const;

    /// Of the command; an option without a value has an empty one.
    void add_word(std::string word) { command_.arguments.push_back(std::move(word)); }
    /// Adds the option; these keys are carried by it.
    void add(std::string_view option, const std::string& value, std::initializer_list<std::string_view> keys,
             std::string_view remark = {});
    /// These keys are in what stands in the command already, or the network has them.
    void carry(std::initializer_list<std::string_view> keys, std::string_view here,
               std::string_view remark = {});
    void leave(std::string_view key, std::string_view reason);
    /// The key has no effect, there or here.
    void ignore(std::string_view key, std::string_view reason);
    /// Something that differs and is of no key.
    void note(std::string text) { command_.notes.push_back(std::move(text)); }
    /// Of a network in a file, which the command names `file`.
    void set_network(std::string text) { command_.network = std::move(text); }

    [[noreturn]] void fail(std::string_view reason) const;

    /// Options of rows that have one are added behind the others. Throws std::logic_error for a key of which
    /// nothing is said.
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
