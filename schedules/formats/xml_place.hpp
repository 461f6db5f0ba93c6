// An element of an XML file, with errors that say in which line it is. Of use inside this room only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// A text by lines.
class XmlLines {
public:
    explicit XmlLines(std::string_view text);
    /// From 1.
    std::size_t line_of(std::ptrdiff_t offset) const;

private:
    std::vector<std::ptrdiff_t> ends_;
};

/// Document, lines and origin must outlive it. What it throws are std::runtime_errors in one line:
/// `a.xml: line 12: …`.
class XmlPlace {
public:
    XmlPlace(pugi::xml_node node, const XmlLines& lines, std::string_view origin)
        : node_(node), lines_(&lines), origin_(origin)
    {
    }

    /// `line 12`
    std::string line() const;
    [[noreturn]] void fail(const std::string& reason) const;
    std::string text(const char* name) const;
    /// From `least` to 2^24.
    std::int32_t number(const char* name, std::int32_t least) const;
    std::vector<XmlPlace> children(const char* name) const;

private:
    pugi::xml_node node_;
    const XmlLines* lines_;
    std::string_view origin_;
};

} // namespace nocturne
