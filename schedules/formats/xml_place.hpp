// XML files and their elements, with errors that say in which line they are. Of use inside this room only.
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
    bool has(const char* name) const { return !node_.attribute(name).empty(); }
    std::string text(const char* name) const;
    std::int32_t number(const char* name, std::int32_t least, std::int32_t most = 1 << 24) const;
    /// 0 or more, of any size.
    double amount(const char* name) const;
    std::vector<XmlPlace> children(const char* name) const;

private:
    pugi::xml_node node_;
    const XmlLines* lines_;
    std::string_view origin_;
};

/// A document, which its places point into.
class XmlFile {
public:
    /// Throws std::runtime_error, one line that begins with `origin`, for text that is not XML.
    XmlFile(std::string_view text, std::string_view origin);
    /// The element that the document consists of. Throws std::runtime_error if it has another name.
    XmlPlace root(const char* name) const;

private:
    pugi::xml_document document_;
    XmlLines lines_;
    std::string_view origin_;
};

/// Does the text, or the beginning of one, say that it is XML with such an element first?
bool is_xml_of(std::string_view text, std::string_view name);

} // namespace nocturne
