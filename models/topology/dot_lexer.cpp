#include "models/topology/dot_lexer.hpp"

#include "models/topology/files.hpp"

#include <boost/algorithm/string/predicate.hpp>
#include <fmt/format.h>

#include <cctype>
#include <stdexcept>

namespace nocturne::dot_parser {

namespace {

bool is_name_start(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return std::isalpha(byte) != 0 || c == '_' || byte >= 0x80;
}

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

} // namespace

void Lexer::fail(std::string_view reason) const
{
    throw std::runtime_error(fmt::format("{}: line {}: {}", origin_, line_, one_line(std::string(reason))));
}

Token Lexer::next()
{
    skip_space();
    if (at_ == text_.size())
        return {};
    const char c = text_[at_];
    if (c == '"')
        return {TokenKind::id, quoted()};
    if (c == '<')
        return {TokenKind::id, html()};
    if (is_name_start(c))
        return word();
    if (is_number())
        return {TokenKind::id, number()};
    for (const std::string_view symbol : {"->", "--"})
        if (text_.substr(at_).starts_with(symbol)) {
            at_ += symbol.size();
            return {TokenKind::symbol, std::string(symbol)};
        }
    if (std::string_view("{}[]=;,:+").find(c) == std::string_view::npos)
        fail(fmt::format("unexpected character '{}'", c));
    ++at_;
    return {TokenKind::symbol, std::string(1, c)};
}

void Lexer::advance()
{
    if (text_[at_] == '\n')
        ++line_;
    ++at_;
}

void Lexer::skip_past(std::string_view end, std::string_view what)
{
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos)
        fail(fmt::format("{} has no end", what));
    while (at_ < found + end.size())
        advance();
}

void Lexer::skip_line()
{
    while (at_ < text_.size() && text_[at_] != '\n')
        ++at_;
}

void Lexer::skip_space()
{
    while (at_ < text_.size()) {
        const std::string_view rest = text_.substr(at_);
        if (rest.starts_with("/*"))
            skip_past("*/", "a comment");
        else if (rest.starts_with("//") || (rest.front() == '#' && (at_ == 0 || text_[at_ - 1] == '\n')))
            skip_line();
        else if (std::isspace(static_cast<unsigned char>(rest.front())) != 0)
            advance();
        else
            return;
    }
}

std::string Lexer::quoted()
{
    std::string text;
    for (advance(); at_ < text_.size() && text_[at_] != '"'; advance()) {
        if (text_[at_] == '\\' && (peek(1) == '"' || peek(1) == '\n')) {
            advance();
            if (text_[at_] == '\n')
                continue;
        } else if (text_[at_] == '\\' && peek(1) == '\\') {
            text += text_[at_];
            advance();
        }
        text += text_[at_];
    }
    if (at_ == text_.size())
        fail("a string has no end");
    advance();
    return text;
}

std::string Lexer::html()
{
    const std::size_t begin = at_ + 1;
    std::size_t depth = 0;
    for (; at_ < text_.size(); advance()) {
        if (text_[at_] == '<')
            ++depth;
        if (text_[at_] == '>' && --depth == 0) {
            ++at_;
            return std::string(text_.substr(begin, at_ - 1 - begin));
        }
    }
    fail("an HTML string has no end");
}

Token Lexer::word()
{
    const std::size_t begin = at_;
    while (is_name_start(peek(0)) || is_digit(peek(0)))
        ++at_;
    std::string text(text_.substr(begin, at_ - begin));
    for (const std::string_view keyword : {"node", "edge", "graph", "digraph", "subgraph", "strict"})
        if (boost::algorithm::iequals(text, keyword))
            return {TokenKind::keyword, std::string(keyword)};
    return {TokenKind::id, std::move(text)};
}

bool Lexer::is_number() const
{
    const std::size_t sign = peek(0) == '-' ? 1 : 0;
    return is_digit(peek(sign)) || (peek(sign) == '.' && is_digit(peek(sign + 1)));
}

std::string Lexer::number()
{
    const std::size_t begin = at_;
    at_ += peek(0) == '-' ? 1 : 0;
    while (is_digit(peek(0)))
        ++at_;
    at_ += peek(0) == '.' ? 1 : 0;
    while (is_digit(peek(0)))
        ++at_;
    std::string text(text_.substr(begin, at_ - begin));
    if (is_name_start(peek(0)) || peek(0) == '.')
        fail(fmt::format("a name that begins with the number '{}' takes quotes", text));
    return text;
}

} // namespace nocturne::dot_parser
