// The words of a command line one by one, and which of them are understood.
#pragma once

#include "models/text/number.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne::cli {

struct TypedWord {
    std::string text;  ///< as it was typed
    std::string plain; ///< in small letters, `_` for `-`
    bool is_used = false;

    bool is_option() const { return text.size() > 1 && text.front() == '-' && !number_of<double>(text); }
};

/// `--vcs=4` and `vcs=4` are two words, `64 MB` is one, and a sentence has as many as it has.
class TypedWords {
public:
    explicit TypedWords(const std::vector<std::string>& arguments);

    std::size_t size() const { return words_.size(); }
    TypedWord& operator[](std::size_t at) { return words_[at]; }
    const TypedWord& operator[](std::size_t at) const { return words_[at]; }
    auto begin() { return words_.begin(); }
    auto end() { return words_.end(); }
    auto begin() const { return words_.begin(); }
    auto end() const { return words_.end(); }

    const std::string& plain(std::size_t at) const; ///< empty behind the last

    void use(std::size_t from, std::size_t count = 1);

    /// 8 of `k=8`; nothing if there is none.
    std::optional<unsigned> value_behind(std::string_view name) const;
    void use_values_behind(std::string_view names);

private:
    void add(const std::string& argument);

    std::vector<TypedWord> words_;
};

} // namespace nocturne::cli
