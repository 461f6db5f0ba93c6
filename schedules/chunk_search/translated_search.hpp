// Schedules by time for machines that look the same from every processor: the search sees one processor's
// chunks, however many there are.
#pragma once

#include "schedules/chunk_search/timed_search.hpp"
#include "schedules/schedule/translations.hpp"

#include <optional>
#include <vector>

namespace nocturne {

/// Of those of the candidates for boxes with columns (grid_of_columns()), and of all `members` in one line,
/// that are symmetries.
std::vector<Translations> translations_of(const LinkNetwork& network, const std::vector<NodeId>& members);

/// Does it take more transfers than runs of a search list in a second: one for each receiver of a chunk and
/// for each contribution but the first?
bool is_large(const Collective& collective);

/// Direct exchanges (direct_exchange.hpp) of the first member's chunks, over links that stand for all that
/// translations take to each other (translations.hpp), and from them those of all others: of what only
/// copies, of what adds to one receiver a chunk, and of an all-reduce in as many chunks as there are members
/// or a multiple. Looks at as many transfers as one member's chunks take, and takes nothing from
/// `config.end`. Nothing if the network or the collective does not look the same from every member, or the
/// members are not one hop, or one to the column and one in the box, from each other.
std::optional<TimedSchedule> search_translated(const LinkNetwork& network, const Collective& collective,
                                               const TimedConfig& config);

} // namespace nocturne
