// Words as people write them who do not know how they are written here.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace nocturne::cli {

std::string plain_of(std::string_view text);      ///< in small letters, `_` for `-`
std::string without_marks(std::string_view text); ///< the same without `_`

std::optional<unsigned> count_of(std::string_view text); ///< of `16` or `two`, below 100,000

/// Is it one of these words, between spaces?
bool is_one_of(std::string_view word, std::string_view words);

bool is_filler(std::string_view word); ///< that says nothing by itself: `the`, `how`

/// A network of that kind with so many processors, `mesh:8x8` of 64; empty if there is none.
std::string network_with(std::string_view kind, unsigned processors);

/// So many GPUs in boxes of eight; empty if these have as many as no number of boxes.
std::string boxes_of(unsigned gpus);

bool is_processors(std::string_view word); ///< `ranks`

/// 128 of `128bit`, with one of these units in small letters, between spaces; nothing for other words.
std::optional<double> with_unit(std::string_view word, std::string_view units);

/// Bytes a nanosecond: 50 of `400Gbps`, `400G` (of 100 to 800) and `50GB/s`; nothing for other words.
std::optional<double> rate_of(std::string_view word);

std::optional<double> nanoseconds_of(std::string_view word); ///< 2000 of `2us`

/// `odd_even` of `Odd-Even`, `dor+datelines` of itself; empty for what is no routing.
std::string routing_in_words(const std::string& text);

} // namespace nocturne::cli
