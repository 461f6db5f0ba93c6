// The options of subcommands: what kind of value each takes, and what a call gives for it.
#pragma once

#include <boost/program_options.hpp>

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne::cli {

/// A whole number from 0: Boost's own conversion takes -1 for a very large one.
struct Count {
    std::uint64_t value = 0;
};
std::istream& operator>>(std::istream& in, Count& count);
std::ostream& operator<<(std::ostream& out, const Count& count);

/// Kinds of values for a table of options; `name` is what the help calls the value. What is not given has the
/// value `otherwise`, or none.
boost::program_options::typed_value<std::string>* text_value(const std::string& name);
boost::program_options::typed_value<std::string>* text_value(const std::string& name,
                                                             const std::string& otherwise);
boost::program_options::typed_value<std::vector<std::string>>*
texts_value(const std::string& name); ///< repeated
boost::program_options::typed_value<double>* real_value(const std::string& name);
boost::program_options::typed_value<double>* real_value(const std::string& name, double otherwise);
boost::program_options::typed_value<Count>* count_value(const std::string& name);
boost::program_options::typed_value<Count>* count_value(std::uint64_t otherwise); ///< called N

boost::program_options::typed_value<bool>* switch_value();

struct OptionRow {
    const char* name;                                    ///< `csv`, with a short one `output,o`
    const boost::program_options::value_semantic* value; ///< null for an option that ends everything else
    std::string help;
    std::vector<std::string> needs = {}; ///< options one of which must be given for it to say anything
};

/// The options of a command, or some of them under a title in the help.
class OptionTable {
public:
    explicit OptionTable(const char* title = "") : description_(title) {}

    void add(std::initializer_list<OptionRow> rows);
    /// Its rows, without its title.
    void add_rows_of(const OptionTable& other);
    /// The other one under its title.
    OptionTable& add(const OptionTable& other);

    /// For the parser, and for the help.
    const boost::program_options::options_description& description() const { return description_; }
    const std::vector<boost::shared_ptr<boost::program_options::option_description>>& rows() const
    {
        return description_.options();
    }
    /// OptionRow::needs by long name, of those that need something.
    const std::map<std::string, std::vector<std::string>>& needs() const { return needs_; }

private:
    boost::program_options::options_description description_;
    std::map<std::string, std::vector<std::string>> needs_;
};

/// A table with this title in the help.
OptionTable option_table(const char* title, std::initializer_list<OptionRow> rows);

/// `in-order,shifted`: what stands between the separators, one part more than there are of these.
std::vector<std::string> parts_of(std::string_view text, char separator = ',');

/// The values of one call, by the long names of their options. Remembers which of them were asked for:
/// copies remember together.
class OptionValues {
public:
    explicit OptionValues(boost::program_options::variables_map map) : map_(std::move(map)) {}

    /// Has the option a value, a default among them?
    bool has(const std::string& option) const { return !value_of(option).empty(); }
    /// Has it one that is no default?
    bool is_given(const std::string& option) const { return has(option) && !value_of(option).defaulted(); }
    bool is_on(const std::string& option) const { return value_of(option).as<bool>(); }
    /// Empty, or `otherwise`, without a value.
    std::string text(const char* option, const char* otherwise = "") const;
    std::vector<std::string> texts(const char* option, const std::vector<std::string>& otherwise = {}) const;
    double real(const char* option) const { return value_of(option).as<double>(); }
    std::uint64_t count(const char* option) const { return value_of(option).as<Count>().value; }

    /// Value of a Count option, checked against its range. Throws std::invalid_argument naming the option.
    std::uint64_t count(const char* option, std::uint64_t least, std::uint64_t most) const;
    std::uint32_t small_count(const char* option, std::uint32_t least, std::uint32_t most) const;
    /// Value of an option in seconds, more than 0. Throws std::invalid_argument naming the option.
    std::chrono::milliseconds seconds(const char* option) const;
    /// Of --workers, from 0 (one for each core) to 1024.
    unsigned workers() const { return small_count("workers", 0, 1024); }

    const boost::program_options::variables_map& all() const { return map_; }

    /// Options with a value that is no default, that were not asked for so far.
    std::vector<std::string> unused() const;

private:
    const boost::program_options::variable_value& value_of(const std::string& option) const
    {
        used_->insert(option);
        return map_[option];
    }

    boost::program_options::variables_map map_;
    std::shared_ptr<std::set<std::string>> used_ = std::make_shared<std::set<std::string>>();
};

/// What refuse_given() says of a seed where nothing is drawn.
inline constexpr const char* takes_chance = "something that is random, and nothing is here";

/// Throws std::invalid_argument for one of these options that was given: it `takes` something else.
void refuse_given(const OptionValues& given, std::initializer_list<const char*> options, const char* takes);
/// The same for those of a table.
void refuse_given(const OptionValues& given, const OptionTable& table, const char* takes);

} // namespace nocturne::cli
