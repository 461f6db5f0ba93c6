#include "sim/cli/option_values.hpp"

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>

#include <cmath>
#include <istream>
#include <ostream>
#include <stdexcept>

namespace nocturne::cli {

namespace po = boost::program_options;

std::istream& operator>>(std::istream& in, Count& count)
{
    if ((in >> std::ws).peek() == '-')
        in.setstate(std::ios::failbit);
    return in >> count.value;
}

std::ostream& operator<<(std::ostream& out, const Count& count)
{
    return out << count.value;
}

po::typed_value<std::string>* text_value(const std::string& name)
{
    return po::value<std::string>()->value_name(name);
}

po::typed_value<std::string>* text_value(const std::string& name, const std::string& otherwise)
{
    return text_value(name)->default_value(otherwise);
}

po::typed_value<std::vector<std::string>>* texts_value(const std::string& name)
{
    return po::value<std::vector<std::string>>()->value_name(name)->composing();
}

po::typed_value<double>* real_value(const std::string& name)
{
    return po::value<double>()->value_name(name);
}

po::typed_value<double>* real_value(const std::string& name, double otherwise)
{
    return real_value(name)->default_value(otherwise);
}

po::typed_value<Count>* count_value(const std::string& name)
{
    return po::value<Count>()->value_name(name);
}

po::typed_value<Count>* count_value(std::uint64_t otherwise)
{
    return count_value("N")->default_value({otherwise});
}

po::typed_value<bool>* switch_value()
{
    return po::bool_switch();
}

void OptionTable::add(std::initializer_list<OptionRow> rows)
{
    for (const auto& [name, value, help, needs] : rows) {
        if (value == nullptr)
            description_.add_options()(name, help.c_str());
        else
            description_.add_options()(name, value, help.c_str());
        if (!needs.empty())
            needs_[description_.options().back()->long_name()] = needs;
    }
}

void OptionTable::add_rows_of(const OptionTable& other)
{
    for (const auto& row : other.rows())
        description_.add(row);
    needs_.insert(other.needs_.begin(), other.needs_.end());
}

OptionTable& OptionTable::add(const OptionTable& other)
{
    description_.add(other.description_);
    needs_.insert(other.needs_.begin(), other.needs_.end());
    return *this;
}

OptionTable option_table(const char* title, std::initializer_list<OptionRow> rows)
{
    OptionTable table(title);
    table.add(rows);
    return table;
}

std::vector<std::string> parts_of(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    boost::split(parts, text, [=](char c) { return c == separator; });
    return parts;
}

std::string OptionValues::text(const char* option, const char* otherwise) const
{
    return has(option) ? value_of(option).as<std::string>() : otherwise;
}

std::vector<std::string> OptionValues::texts(const char* option,
                                             const std::vector<std::string>& otherwise) const
{
    return has(option) ? value_of(option).as<std::vector<std::string>>() : otherwise;
}

std::uint64_t OptionValues::count(const char* option, std::uint64_t least, std::uint64_t most) const
{
    const std::uint64_t value = count(option);
    if (value < least || value > most)
        throw std::invalid_argument(fmt::format("--{} {}: expected {} to {}", option, value, least, most));
    return value;
}

std::uint32_t OptionValues::small_count(const char* option, std::uint32_t least, std::uint32_t most) const
{
    return static_cast<std::uint32_t>(count(option, least, most));
}

std::chrono::milliseconds OptionValues::seconds(const char* option) const
{
    const double seconds = real(option);
    constexpr double most = 1e7;
    if (!(seconds > 0) || seconds > most)
        throw std::invalid_argument(
            fmt::format("--{} {}: expected seconds, more than 0 and at most {:.0f}", option, seconds, most));
    return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(seconds * 1000)));
}

std::vector<std::string> OptionValues::unused() const
{
    std::vector<std::string> names;
    for (const auto& [name, value] : map_)
        if (!value.empty() && !value.defaulted() && !used_->contains(name))
            names.push_back(name);
    return names;
}

void refuse_given(const OptionValues& given, std::initializer_list<const char*> options, const char* takes)
{
    for (const char* const option : options)
        if (given.is_given(option))
            throw std::invalid_argument(fmt::format("--{}: takes {}", option, takes));
}

void refuse_given(const OptionValues& given, const OptionTable& table, const char* takes)
{
    for (const auto& row : table.rows())
        refuse_given(given, {row->long_name().c_str()}, takes);
}

} // namespace nocturne::cli
