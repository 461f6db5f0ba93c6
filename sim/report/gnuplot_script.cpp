#include "sim/report/gnuplot_script.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace nocturne::gnuplot {
namespace {

struct Colour {
    double red;
    double green;
    double blue;
};

bool is_control(char c)
{
    return std::iscntrl(static_cast<unsigned char>(c)) != 0;
}

std::string hexadecimal(const Colour& colour)
{
    return fmt::format("#{:02x}{:02x}{:02x}", std::lround(colour.red), std::lround(colour.green),
                       std::lround(colour.blue));
}

constexpr unsigned most_power = 40;
constexpr std::size_t enough_labels = 4;

bool is_on(double value, const Axis& axis)
{
    return (!axis.from || value >= *axis.from) && (!axis.to || value <= *axis.to);
}

/// 1, 2, 4, … 512, 1 Ki, … 1 Ti: each, or as many of them as leave ten labels or fewer, with small ticks
/// between them.
std::string binary_ticks(const Axis& axis)
{
    static constexpr std::array prefixes{"", " Ki", " Mi", " Gi", " Ti"};
    unsigned shown = 0;
    for (unsigned power = 0; power <= most_power; ++power)
        shown += is_on(std::ldexp(1.0, static_cast<int>(power)), axis) ? 1 : 0;
    const unsigned stride = (shown + 9) / 10;
    std::string ticks;
    for (unsigned power = 0; power <= most_power; ++power) {
        const bool labelled = power % stride == 0;
        const std::string label = labelled ? fmt::format("{}{}", 1U << power % 10, prefixes[power / 10]) : "";
        ticks += fmt::format("{}'{}' {} {}", power == 0 ? "" : ", ", label, std::uint64_t{1} << power,
                             labelled ? 0 : 1);
    }
    return ticks;
}

/// The roundest numbers of which enough are on the axis: powers of ten, these and 2 and 5 times, or more and
/// more of what lies between; up to every power of ten that a measurement may have.
std::string decimal_ticks(const Axis& axis)
{
    static const std::array<std::vector<double>, 4> choices{
        {{1},
         {1, 2, 5},
         {1, 1.5, 2, 3, 4, 5, 7},
         {1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9}}};
    std::vector<double> values;
    for (const std::vector<double>& digits : choices) {
        values.clear();
        for (int power = -9; power <= 15; ++power)
            for (const double digit : digits)
                if (const double value = digit * std::pow(10.0, power); is_on(value, axis))
                    values.push_back(value);
        if (values.size() >= enough_labels)
            break;
    }
    std::string ticks;
    for (const double value : values)
        ticks += fmt::format("{}{:.6g}", ticks.empty() ? "" : ", ", value);
    return ticks;
}

/// Okabe and Ito's, without black, which lines of a model have, and yellow, which is too faint on white; with
/// a grey instead.
constexpr std::array qualitative{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#777777"};

/// Viridis, from dark to light, but for its yellow end, which is too faint on white.
std::string shade(std::size_t index, std::size_t count)
{
    // At four points; the steps in between are straight.
    static constexpr std::array<Colour, 4> shades{
        {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}}};
    const double place = static_cast<double>(index) / static_cast<double>(count - 1) * (shades.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(place), shades.size() - 2);
    const auto between = [&](double Colour::* part) {
        return std::lerp(shades[below].*part, shades[below + 1].*part, place - static_cast<double>(below));
    };
    return hexadecimal({between(&Colour::red), between(&Colour::green), between(&Colour::blue)});
}

} // namespace

std::string constant(const std::string& text)
{
    // Between single quotes nothing has a meaning but the quote itself, which gnuplot cannot escape at the
    // beginning.
    std::string result = "'";
    for (const char c : text) {
        if (c == '\'')
            result += "’";
        else
            result += is_control(c) ? ' ' : c;
    }
    return result + '\'';
}

std::string tick(const std::string& text)
{
    std::string format;
    for (const char c : text)
        format += c == '%' ? "%%" : std::string(1, c);
    return constant(format);
}

std::string field(std::string text)
{
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '"' || c == '\\' || is_control(c); }, ' ');
    return '"' + text + '"';
}

std::string preamble(const std::string& title, unsigned width, unsigned height)
{
    std::string script;
    say(script,
        "set terminal svg name 'nocturne' size {},{} dynamic noenhanced font 'Helvetica,13' background "
        "'#ffffff'",
        width, height);
    say(script, "set encoding utf8");
    say(script, "set title {} font ',16' offset 0,-0.3", constant(title));
    say(script, "set border 3 linecolor rgb '#666666'");
    say(script, "set tics nomirror out scale 0.6,0.3 textcolor rgb '#222222'");
    say(script, "set grid linecolor rgb '#e3e3e3' linetype 1 linewidth 0.8");
    return script;
}

std::string axis(char which, const Axis& axis)
{
    const auto end = [](const std::optional<double>& value) {
        return value ? fmt::format("{}", *value) : "*";
    };
    std::string script;
    say(script, "set {}label {}", which, constant(axis.label));
    say(script, "set {}range [{}:{}]", which, end(axis.from), end(axis.to));
    if (axis.scale != Scale::linear)
        say(script, "set logscale {} {}", which, axis.scale == Scale::log2 ? 2 : 10);
    if (axis.scale == Scale::log2)
        say(script, "set {}tics ({})", which, binary_ticks(axis));
    if (axis.scale == Scale::log10)
        say(script, "set {}tics ({})", which, decimal_ticks(axis));
    return script;
}

unsigned legend_height(const std::vector<std::string>& entries, unsigned width)
{
    std::size_t longest = 1;
    for (const std::string& entry : entries)
        longest = std::max(longest, entry.size());
    const std::size_t entry_width = 90 + 9 * longest; // of the font's 13 points, and the sample before it
    const std::size_t columns =
        std::clamp<std::size_t>(width / entry_width, 1, std::max<std::size_t>(entries.size(), 1));
    return static_cast<unsigned>(20 * ((entries.size() + columns - 1) / columns));
}

CurveLook curve_look(std::size_t index)
{
    // gnuplot's filled circle, square, triangles, diamond and pentagon, then the same hollow.
    static constexpr std::array marks{7U, 5U, 9U, 13U, 11U, 15U, 6U, 4U, 8U, 12U, 10U, 14U};
    static constexpr std::array dashes{"solid", "(12,4)", "(3,3)"};
    return {qualitative[index % qualitative.size()], marks[index % marks.size()],
            dashes[index / qualitative.size() % dashes.size()]};
}

std::string area_colour(std::size_t index, std::size_t count)
{
    return count <= qualitative.size() ? qualitative[index] : shade(index, count);
}

const char* text_colour(const std::string& background)
{
    const auto part = [&](std::size_t at) {
        unsigned value = 0;
        std::from_chars(background.data() + at, background.data() + at + 2, value, 16);
        return static_cast<double>(value);
    };
    // Luma of ITU-R BT.601.
    const double luma = 0.299 * part(1) + 0.587 * part(3) + 0.114 * part(5);
    return luma > 125 ? "#000000" : "#ffffff";
}

void refuse(const std::string& title, const char* what)
{
    throw std::invalid_argument(fmt::format("picture {}: {}", title, what));
}

} // namespace nocturne::gnuplot
