// Where the files are that the documentation names by their place in the source: examples/…,
// schedules/library/….
#pragma once

#include <string>
#include <string_view>

namespace nocturne::cli {

/// `examples/energy/router_45nm.json` of the source as it can be read here: as it is if there is such a file,
/// or in the share/nocturne of the installation that this program is of. Empty if there is neither.
std::string place_of_example(std::string_view path);

/// A file of the share/doc/nocturne of the installation that this program is of; empty if there is none.
std::string documentation_file(std::string_view path);

/// `examples/ is /usr/share/nocturne/examples, and schedules/library/ is /usr/share/nocturne/schedules`, or
/// that they are in the source.
std::string places_of_examples();

} // namespace nocturne::cli
