// What the pictures share: the words of a gnuplot script and one look for all.
#pragma once

#include "sim/report/plot.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace nocturne::gnuplot {

/// Appends one formatted line to the script.
template <class... Arguments>
void say(std::string& script, fmt::format_string<Arguments...> format, Arguments&&... arguments)
{
    fmt::format_to(std::back_inserter(script), format, std::forward<Arguments>(arguments)...);
    script += '\n';
}

/// `text` as a string constant; control characters become spaces, straight single quotes typographic ones.
std::string constant(const std::string& text);
/// The same for the name of a tick, which gnuplot reads as a format.
std::string tick(const std::string& text);
/// `text` as one quoted field in a block of data, where nothing can be escaped: quotes become spaces too.
std::string field(std::string text);

/// Terminal, title, fonts and grid of a picture of so many pixels.
std::string preamble(const std::string& title, unsigned width, unsigned height);
/// Label, range, scale and ticks of the `x` or `y` axis. A logarithmic axis with both ends has at least four
/// labels.
std::string axis(char which, const Axis& axis);

/// A legend below the picture, in columns.
inline constexpr const char* legend_below =
    "set key outside below center horizontal Left reverse spacing 1.25 height 1.5";
/// The pixels that it takes with these entries in a picture of that width.
unsigned legend_height(const std::vector<std::string>& entries, unsigned width);

/// How a curve is told apart from others: no two of the first 84 have colour and mark in common.
struct CurveLook {
    std::string colour; ///< `#rrggbb`
    unsigned mark;      ///< gnuplot's point type
    const char* dashes; ///< gnuplot's dash type; other than `solid` where colours come again
};
CurveLook curve_look(std::size_t index);
/// Colour of one of `count` areas: distinct ones while that is possible, then shades from dark to light.
std::string area_colour(std::size_t index, std::size_t count);
/// Black or white, whichever can be read on the colour.
const char* text_colour(const std::string& background);

/// Throws std::invalid_argument that names the picture.
[[noreturn]] void refuse(const std::string& title, const char* what);

} // namespace nocturne::gnuplot
