// The options of subcommands as rows: name, kind of value with range and default, and what it writes. Help,
// manual pages, completion, checks of values, places and what a sweep may set come from them.
#pragma once

#include <boost/program_options.hpp>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne::cli {

/// Whole numbers, both ends included.
struct CountRange {
    std::uint64_t least = 0;
    std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

/// Numbers, both ends included, but for the least where it is excluded.
struct RealRange {
    double least = std::numeric_limits<double>::lowest();
    double most = std::numeric_limits<double>::max();
    bool is_least_excluded = false;
};
inline constexpr RealRange above_zero{0, std::numeric_limits<double>::max(), true};

/// What an option's value names that the command writes.
enum class Written {
    nothing,
    file,
    folder,
    new_folder,     ///< which must not exist yet, or be empty
    file_or_folder, ///< the command decides, and asks for the place itself
};

/// The kind of value that an option takes.
struct OptionKind {
    enum class Form { toggle, text, count, real };

    Form form = Form::text;
    std::string parameter = {};                ///< what the help calls the value
    std::optional<std::string> otherwise = {}; ///< the default
    bool is_repeated = false;                  ///< may be given several times
    bool is_name = false;                      ///< any text is one: of a file, a network, a node
    Written written = Written::nothing;
    std::vector<std::string> choices = {}; ///< all values that there are, or some of a list; empty: others
    /// Throws std::invalid_argument for a text that is no value. Null: every text may be one.
    std::function<void(const std::string& text)> check = {};

    bool takes_value() const { return form != Form::toggle; }

    /// The same kind, of values that this function accepts: it throws std::invalid_argument for others.
    template <class Parse>
    OptionKind parsed_by(Parse parse) const
    {
        OptionKind kind = *this;
        kind.check = [parse](const std::string& text) { static_cast<void>(parse(text)); };
        return kind;
    }
};

OptionKind switch_value();
OptionKind text_value(const std::string& parameter, std::optional<std::string> otherwise = {});
OptionKind texts_value(const std::string& parameter); ///< may be given several times
/// One of these names.
OptionKind choice_value(const std::string& parameter, std::vector<std::string> names,
                        std::optional<std::string> otherwise = {});
/// Some of these names, separated by commas.
OptionKind choices_value(const std::string& parameter, std::vector<std::string> names,
                         std::optional<std::string> otherwise = {});
OptionKind count_value(const std::string& parameter, CountRange range = {});
OptionKind count_value(std::uint64_t otherwise, CountRange range = {}); ///< called N
OptionKind real_value(const std::string& parameter, RealRange range = {});
OptionKind real_value(const std::string& parameter, double otherwise, RealRange range = {});
OptionKind seconds_value(double otherwise); ///< more than 0, at most 1e7
/// A name of something that the command reads or looks up: a file, a network, a node.
OptionKind name_value(const std::string& parameter, std::optional<std::string> otherwise = {});
OptionKind names_value(const std::string& parameter); ///< may be given several times
OptionKind written_value(const std::string& parameter, Written written = Written::file);
/// A file that is written as SVG, whose name must not end as one of another kind of picture.
OptionKind svg_value(const std::string& parameter);

struct OptionRow {
    std::string name; ///< `csv`, with a short one `output,o`
    OptionKind value;
    std::string help;
    /// Options one of which must be given for this one to say anything; `engine=gappin`: with this value.
    std::vector<std::string> needs = {};
    std::string group = {}; ///< title of the part of the help that it stands in

    std::string long_name() const { return name.substr(0, name.find(',')); }
    /// `o`; empty if it has none.
    std::string short_name() const;
};

/// The options of a command, or some of them under a title in the help.
class OptionTable {
public:
    explicit OptionTable(const char* title = "") : description_(title), title_(title) {}

    OptionTable& add(std::initializer_list<OptionRow> rows);
    /// Its rows, without its title.
    OptionTable& add_rows_of(const OptionTable& other);
    /// The other one under its title.
    OptionTable& add(const OptionTable& other);

    /// The same, of rows that say nothing without this option (OptionRow::needs).
    OptionTable needing(const std::string& option) const;

    /// For the parser.
    const boost::program_options::options_description& description() const { return description_; }
    std::span<const OptionRow> rows() const& { return rows_; }
    std::span<const OptionRow> rows() && = delete; // they would be gone
    /// By its long name; null if there is none.
    const OptionRow* find(std::string_view long_name) const;

private:
    boost::program_options::options_description description_;
    std::string title_;
    std::vector<OptionRow> rows_;
};

/// Options with their help, under a title.
std::string help_of(const std::string& title, std::span<const OptionRow> rows);

/// A table with this title in the help.
OptionTable option_table(const char* title, std::initializer_list<OptionRow> rows);

/// Throws std::invalid_argument, which names the option, if the text is none of its values.
void check_value(const OptionRow& row, const std::string& text);

/// `in-order,shifted`: what stands between the separators, one part more than there are of these.
std::vector<std::string> parts_of(std::string_view text, char separator = ',');

} // namespace nocturne::cli
