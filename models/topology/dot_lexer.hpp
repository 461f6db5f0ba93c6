// The words of Graphviz's language.
#pragma once

#include <string>
#include <string_view>

namespace nocturne::dot_parser {

enum class TokenKind { end, symbol, keyword, id };

struct Token {
    TokenKind kind = TokenKind::end;
    std::string text; ///< a keyword in lower case
};

/// Cuts the text into symbols, keywords and identifiers; comments are left out. Text and origin must
/// outlive it.
class Lexer {
public:
    Lexer(std::string_view text, std::string_view origin) : text_(text), origin_(origin) {}

    /// Throws std::runtime_error, one line that begins with the origin and the line number.
    [[noreturn]] void fail(std::string_view reason) const;
    Token next();

private:
    char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    void advance();
    void skip_past(std::string_view end, std::string_view what);
    void skip_line();
    void skip_space();
    std::string quoted();
    std::string html();
    Token word();
    bool is_number() const;
    std::string number();

    std::string_view text_;
    std::string_view origin_;
    std::size_t at_ = 0;
    unsigned line_ = 1;
};

} // namespace nocturne::dot_parser
