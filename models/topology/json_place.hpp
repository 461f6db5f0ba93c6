// Reading JSON documents member by member, with errors that say where they are.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// The document. Throws std::runtime_error, in one line that begins with `origin`, for text that is not JSON.
nlohmann::json parse_json(std::string_view text, std::string_view origin);

/// A value in a document together with where it is. What it throws are std::runtime_errors in one line:
/// `net.json: /channels/3/source: expected a whole number from 0 to 15`. Document and origin must outlive it.
class JsonPlace {
public:
    JsonPlace(const nlohmann::json& value, std::string_view origin, std::string pointer = {});

    const nlohmann::json& value() const { return value_; }

    [[noreturn]] void fail(std::string_view reason) const;

    /// Throws unless this is an object with no members but these.
    void check_members(std::initializer_list<const char*> known) const;

    bool has(const std::string& name) const { return value_.contains(name); }
    JsonPlace operator[](const std::string& name) const;
    std::vector<JsonPlace> elements() const;

    std::string text() const;
    bool truth() const;
    /// Of `least` or more.
    unsigned number(unsigned least) const;
    /// 64 bits, as a number or as a text with one, decimal or with `0x`.
    std::uint64_t word() const;
    double real() const;
    /// 0 or more.
    double positive_real() const;

    /// Turns what a value refuses (std::invalid_argument) into an error at this place.
    template <class Action>
    auto here(Action action) const
    {
        try {
            return action();
        } catch (const std::invalid_argument& error) {
            fail(error.what());
        }
    }

private:
    JsonPlace child(const std::string& name, const nlohmann::json& value) const;

    const nlohmann::json& value_;
    std::string_view origin_;
    std::string pointer_;
};

} // namespace nocturne
