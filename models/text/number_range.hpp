// Ranges of numbers as they are written on command lines and in sweep files: one syntax for all of them.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace nocturne {

/// `FIRST:LAST:STEP` goes from FIRST to LAST in steps of STEP, downwards if LAST is less;
/// `FIRST:LAST:xFACTOR` multiplies by FACTOR each time. LAST is a value only where a step hits it (0.1 * 3
/// hits 0.3).
class NumberRange {
public:
    /// A number of the range, or nothing for a text that is none: plain numbers, or sizes with units.
    using Parse = std::function<std::optional<double>(std::string_view)>;

    /// `step`: what `FIRST:LAST` stands for, as it is written (`1`, `x2`); empty: a step has to be given.
    /// Throws std::invalid_argument, one line that names the text and the syntax: for anything else, a range
    /// whose step goes beyond its LAST (with the right order, where the last two were exchanged), and one of
    /// more than `most` values.
    NumberRange(std::string_view text, const Parse& parse, std::string_view step, std::size_t most);

    std::size_t size() const { return size_; }
    /// The value of that index, without the noise of adding: 0.3, neither 0.30000000000000004 nor 0.30.
    double operator[](std::size_t index) const;
    bool is_descending() const { return is_descending_; }

private:
    double first_;
    double step_; ///< less than 0: downwards
    bool multiplies_ = false;
    bool is_descending_;
    std::size_t size_;
};

/// A finite number without an exponent, as ranges in sweep files have them.
std::optional<double> plain_decimal(std::string_view text);

} // namespace nocturne
