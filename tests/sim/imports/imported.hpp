// What tests ask of an import.
#pragma once

#include "sim/imports/imported_command.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

namespace nocturne::test {

/// The value behind the option; empty if the command does not have it.
inline std::string value_of(const ImportedCommand& imported, std::string_view option)
{
    const auto found = std::ranges::find(imported.arguments, option);
    return found == imported.arguments.end() || found + 1 == imported.arguments.end() ? std::string()
                                                                                      : *(found + 1);
}

inline const ImportedKey& key_of(const ImportedCommand& imported, std::string_view name)
{
    const auto found = std::ranges::find(imported.keys, name, &ImportedKey::key);
    if (found == imported.keys.end())
        throw std::out_of_range(std::string(name));
    return *found;
}

/// What `import` throws; empty if it throws nothing.
template <class Import>
std::string refusal_of(Import import)
{
    try {
        import();
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return {};
}

} // namespace nocturne::test
