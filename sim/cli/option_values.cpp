#include "sim/cli/option_values.hpp"

#include "models/text/number.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace nocturne::cli {

std::string OptionValues::text(const char* option, const char* otherwise) const
{
    return has(option) ? value_of(option).as<std::string>() : otherwise;
}

std::vector<std::string> OptionValues::texts(const char* option,
                                             const std::vector<std::string>& otherwise) const
{
    return has(option) ? value_of(option).as<std::vector<std::string>>() : otherwise;
}

double OptionValues::real(const char* option) const
{
    return number_of<double>(value_of(option).as<std::string>()).value();
}

std::uint64_t OptionValues::count(const char* option) const
{
    return number_of<std::uint64_t>(value_of(option).as<std::string>()).value();
}

std::uint32_t OptionValues::small_count(const char* option) const
{
    return number_of<std::uint32_t>(value_of(option).as<std::string>()).value();
}

std::chrono::milliseconds OptionValues::seconds(const char* option) const
{
    return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(real(option) * 1000)));
}

std::vector<std::string> OptionValues::given() const
{
    std::vector<std::string> names;
    for (const auto& [name, value] : map_)
        if (!value.empty() && !value.defaulted())
            names.push_back(name);
    return names;
}

std::vector<std::string> OptionValues::unused() const
{
    std::vector<std::string> names = given();
    std::erase_if(names, [&](const std::string& name) { return used_->contains(name); });
    return names;
}

nlohmann::json OptionValues::json(const OptionRow& row) const
{
    const boost::program_options::variable_value& value = map_[row.long_name()];
    if (value.empty())
        return nullptr;
    if (row.value.form == OptionKind::Form::toggle)
        return value.as<bool>() ? nlohmann::json(true) : nlohmann::json();
    if (row.value.is_repeated)
        return value.as<std::vector<std::string>>();
    const auto& text = value.as<std::string>();
    if (row.value.form == OptionKind::Form::count)
        return number_of<std::uint64_t>(text).value();
    if (row.value.form == OptionKind::Form::real)
        return number_of<double>(text).value();
    return text;
}

void refuse_given(const OptionValues& given, std::initializer_list<const char*> options, const char* why)
{
    for (const char* const option : options)
        if (given.is_given(option))
            throw std::invalid_argument(fmt::format("--{}: {}", option, why));
}

void refuse_given(const OptionValues& given, const OptionTable& table, const char* why)
{
    for (const OptionRow& row : table.rows())
        refuse_given(given, {row.long_name().c_str()}, why);
}

} // namespace nocturne::cli
