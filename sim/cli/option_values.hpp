// The values that a call of a subcommand gives for its options.
#pragma once

#include "sim/cli/option_table.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace nocturne::cli {

/// The values of one call, by the long names of their options. Remembers which of them were asked for:
/// copies remember together.
class OptionValues {
public:
    /// Of these options; `call` is the command as it was called.
    OptionValues(boost::program_options::variables_map map, OptionTable options, std::string call)
        : map_(std::move(map)), options_(std::make_shared<OptionTable>(std::move(options))),
          call_(std::move(call))
    {
    }

    /// Has the option a value, a default among them?
    bool has(const std::string& option) const { return !value_of(option).empty(); }
    /// Has it one that is no default?
    bool is_given(const std::string& option) const { return has(option) && !value_of(option).defaulted(); }
    bool is_on(const std::string& option) const { return value_of(option).as<bool>(); }
    /// Empty, or `otherwise`, without a value.
    std::string text(const char* option, const char* otherwise = "") const;
    std::vector<std::string> texts(const char* option, const std::vector<std::string>& otherwise = {}) const;
    double real(const char* option) const;
    std::uint64_t count(const char* option) const;
    /// Of an option whose range is within 32 bits.
    std::uint32_t small_count(const char* option) const;
    /// Of an option in seconds, rounded up to whole milliseconds.
    std::chrono::milliseconds seconds(const char* option) const;
    unsigned workers() const { return small_count("workers"); }

    const OptionTable& options() const { return *options_; }
    /// The command as it was called, as a shell takes it.
    const std::string& call() const { return call_; }

    /// Those with a value that is no default; they count as asked for only if that is done.
    std::vector<std::string> given() const;
    /// Those that were given and not asked for so far.
    std::vector<std::string> unused() const;
    /// Without asking for it: the value of an option as JSON, a number for numbers; null if it has none, or
    /// is a switch that is off.
    nlohmann::json json(const OptionRow& row) const;

private:
    const boost::program_options::variable_value& value_of(const std::string& option) const
    {
        used_->insert(option);
        return map_[option];
    }

    boost::program_options::variables_map map_;
    std::shared_ptr<const OptionTable> options_;
    std::string call_;
    std::shared_ptr<std::set<std::string>> used_ = std::make_shared<std::set<std::string>>();
};

/// What refuse_given() says of a seed where nothing is drawn.
inline constexpr const char* nothing_random = "no effect here: nothing is random";

/// Throws std::invalid_argument, `--OPTION: why`, for the first of these options that was given.
void refuse_given(const OptionValues& given, std::initializer_list<const char*> options, const char* why);
/// The same for those of a table.
void refuse_given(const OptionValues& given, const OptionTable& table, const char* why);

} // namespace nocturne::cli
