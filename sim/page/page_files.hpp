// The files that the page is made of, which are in the program.
#pragma once

#include <span>
#include <string_view>

namespace nocturne {

/// `page.html`, `page.css`, `viewer.css`, `licences.txt`, `d3.js`, or one of page_scripts(). Throws
/// std::logic_error for another name.
std::string_view page_file(std::string_view name);

/// Our own scripts, in the order in which they stand in the page.
std::span<const std::string_view> page_scripts();

} // namespace nocturne
