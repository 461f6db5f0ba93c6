#include "models/topology/dot_parser.hpp"

#include "models/topology/files.hpp"
#include "models/topology/input_log.hpp"
#include "models/topology/size.hpp"

#include <boost/algorithm/string/predicate.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace nocturne {

namespace dot_parser {

using namespace graph_document;

/// The parser calls itself at each brace, so deeper ones could exhaust the stack.
constexpr unsigned deepest_braces = 500;

enum class TokenKind { end, symbol, keyword, id };

struct Token {
    TokenKind kind = TokenKind::end;
    std::string text; ///< a keyword in lower case
};

bool is_name_start(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return std::isalpha(byte) != 0 || c == '_' || byte >= 0x80;
}

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/// Cuts the text into symbols, keywords and identifiers.
class Lexer {
public:
    Lexer(std::string_view text, std::string_view origin) : text_(text), origin_(origin) {}

    [[noreturn]] void fail(std::string_view reason) const
    {
        throw std::runtime_error(
            fmt::format("{}: line {}: {}", origin_, line_, one_line(std::string(reason))));
    }

    Token next()
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

private:
    char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

    void advance()
    {
        if (text_[at_] == '\n')
            ++line_;
        ++at_;
    }

    /// Past the first `end` from here on.
    void skip_past(std::string_view end, std::string_view what)
    {
        const std::size_t found = text_.find(end, at_);
        if (found == std::string_view::npos)
            fail(fmt::format("{} has no end", what));
        while (at_ < found + end.size())
            advance();
    }

    void skip_line()
    {
        while (at_ < text_.size() && text_[at_] != '\n')
            ++at_;
    }

    /// And comments.
    void skip_space()
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

    std::string quoted()
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

    std::string html()
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

    Token word()
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

    bool is_number() const
    {
        const std::size_t sign = peek(0) == '-' ? 1 : 0;
        return is_digit(peek(sign)) || (peek(sign) == '.' && is_digit(peek(sign + 1)));
    }

    std::string number()
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

    std::string_view text_;
    std::string_view origin_;
    std::size_t at_ = 0;
    unsigned line_ = 1;
};

/// What holds within the braces of a graph or subgraph.
struct Scope {
    Attributes nodes, edges;          ///< for those that are made from now on
    std::vector<std::size_t> members; ///< vertices, each once, in order; of the root none
    std::unordered_set<std::size_t> has;
    std::map<std::string, Scope> subgraphs;
};

class Parser {
public:
    Parser(std::string_view text, std::string_view origin) : lexer_(text, origin), origin_(origin)
    {
        token_ = lexer_.next();
    }

    Document parse()
    {
        is_strict_ = accept_keyword("strict");
        document_.is_directed = token_.text == "digraph";
        if (!accept_keyword("digraph") && !accept_keyword("graph"))
            unexpected("'graph' or 'digraph'");
        if (token_.kind == TokenKind::id)
            take_id();
        expect("{");
        Scope root;
        statements(root, true);
        if (token_.kind != TokenKind::end)
            InputLog::remark(fmt::format("{}: only the first graph of the file is read", origin_));
        return std::move(document_);
    }

private:
    [[noreturn]] void unexpected(std::string_view wanted) const
    {
        lexer_.fail(token_.kind == TokenKind::end
                        ? fmt::format("the file ends where {} is expected", wanted)
                        : fmt::format("'{}' where {} is expected", token_.text, wanted));
    }

    void advance() { token_ = lexer_.next(); }
    bool is_symbol(std::string_view text) const
    {
        return token_.kind == TokenKind::symbol && token_.text == text;
    }
    bool accept(std::string_view symbol)
    {
        const bool is_there = is_symbol(symbol);
        if (is_there)
            advance();
        return is_there;
    }
    bool accept_keyword(std::string_view keyword)
    {
        const bool is_there = token_.kind == TokenKind::keyword && token_.text == keyword;
        if (is_there)
            advance();
        return is_there;
    }
    void expect(std::string_view symbol)
    {
        if (!accept(symbol))
            unexpected(fmt::format("'{}'", symbol));
    }

    std::string take_id()
    {
        if (token_.kind != TokenKind::id)
            unexpected("a name");
        std::string text = std::move(token_.text);
        advance();
        while (accept("+")) {
            if (token_.kind != TokenKind::id)
                unexpected("a string");
            text += token_.text;
            advance();
        }
        return text;
    }

    /// Up to the closing brace.
    void statements(Scope& scope, bool is_root)
    {
        if (++depth_ > deepest_braces)
            lexer_.fail(fmt::format("braces nested more than {} deep", deepest_braces));
        while (!accept("}")) {
            if (!accept(";"))
                statement(scope, is_root);
        }
        --depth_;
    }

    void statement(Scope& scope, bool is_root)
    {
        if (token_.kind == TokenKind::keyword && token_.text != "subgraph") {
            defaults(scope, is_root);
            return;
        }
        if (token_.kind == TokenKind::id) {
            std::string id = take_id();
            if (accept("=")) {
                std::string value = take_id();
                if (is_root)
                    document_.attributes[id] = std::move(value);
                return;
            }
            const std::size_t vertex = take_vertex(scope, id);
            if (is_symbol("->") || is_symbol("--"))
                edges(scope, {vertex});
            else
                set(document_.vertices[vertex].attributes, attribute_lists());
            return;
        }
        std::vector<std::size_t> members = take_subgraph(scope);
        if (is_symbol("->") || is_symbol("--"))
            edges(scope, std::move(members));
    }

    static void set(Attributes& attributes, const Attributes& given)
    {
        for (const auto& [name, value] : given)
            attributes.insert_or_assign(name, value);
    }

    /// `node [...]` and its like.
    void defaults(Scope& scope, bool is_root)
    {
        const std::string kind = token_.text;
        if (kind != "node" && kind != "edge" && kind != "graph")
            unexpected("a statement");
        advance();
        if (!is_symbol("["))
            unexpected("'['");
        const Attributes given = attribute_lists();
        if (kind == "graph" && !is_root)
            return;
        Attributes& into = kind == "node" ? scope.nodes : kind == "edge" ? scope.edges : document_.attributes;
        set(into, given);
    }

    Attributes attribute_lists()
    {
        Attributes given;
        while (accept("["))
            while (!accept("]")) {
                std::string name = take_id();
                given[std::move(name)] = accept("=") ? take_id() : "true";
                if (!accept(";"))
                    accept(",");
            }
        return given;
    }

    /// Behind its identifier: the port, which is for drawings.
    std::size_t take_vertex(Scope& scope, const std::string& id)
    {
        for (int colons = 0; colons < 2 && accept(":"); ++colons)
            take_id();
        const auto [place, is_new] = index_of_.emplace(id, document_.vertices.size());
        if (is_new)
            document_.vertices.push_back({id, scope.nodes});
        add_member(scope, place->second);
        return place->second;
    }

    void add_member(Scope& scope, std::size_t vertex) const
    {
        if (depth_ > 1 && scope.has.insert(vertex).second)
            scope.members.push_back(vertex);
    }

    std::vector<std::size_t> take_subgraph(Scope& scope)
    {
        std::string name;
        if (accept_keyword("subgraph") && token_.kind == TokenKind::id)
            name = take_id();
        else if (!is_symbol("{"))
            unexpected("a statement");
        Scope unnamed;
        Scope& inner = name.empty() ? unnamed : scope.subgraphs[name];
        if (accept("{")) {
            inner.nodes.insert(scope.nodes.begin(), scope.nodes.end()); // its own, if it is opened again, win
            inner.edges.insert(scope.edges.begin(), scope.edges.end());
            statements(inner, false);
        } else if (name.empty()) {
            unexpected("'{'");
        }
        for (const std::size_t vertex : inner.members)
            add_member(scope, vertex);
        return inner.members;
    }

    /// From each of the vertices before an arrow to each behind it.
    void edges(Scope& scope, std::vector<std::size_t> from)
    {
        std::vector<std::pair<std::size_t, std::size_t>> ends;
        while (is_symbol("->") || is_symbol("--")) {
            if ((token_.text == "->") != document_.is_directed)
                lexer_.fail(fmt::format("'{}' in {} graph", token_.text,
                                        document_.is_directed ? "a directed" : "an undirected"));
            advance();
            std::vector<std::size_t> to = token_.kind == TokenKind::id
                                              ? std::vector{take_vertex(scope, take_id())}
                                              : take_subgraph(scope);
            check_edges(ends.size() + std::uint64_t{from.size()} * to.size());
            for (const std::size_t source : from)
                for (const std::size_t target : to)
                    ends.emplace_back(source, target);
            from = std::move(to);
        }
        const Attributes given = attribute_lists();
        for (const auto& [source, target] : ends)
            set(take_edge(source, target, scope.edges, given), given);
    }

    void check_edges(std::uint64_t more) const
    {
        try {
            check_size("graph", {0, document_.vertices.size(), document_.edges.size() + more});
        } catch (const std::invalid_argument& error) {
            lexer_.fail(error.what());
        }
    }

    /// The attributes of a new edge, with the defaults, or of one that is there already: if the graph is strict,
    /// or the key says so.
    Attributes& take_edge(std::size_t source, std::size_t target, const Attributes& defaults,
                          const Attributes& given)
    {
        const auto key = given.find("key");
        if (is_strict_ || key != given.end()) {
            std::pair<std::size_t, std::size_t> ends(source, target);
            if (!document_.is_directed)
                ends = std::minmax(source, target);
            const std::string name = is_strict_ ? std::string() : key->second;
            const auto [place, is_new] =
                single_edges_.emplace(std::tuple(ends.first, ends.second, name), document_.edges.size());
            if (!is_new)
                return document_.edges[place->second].attributes;
        }
        return document_.edges.emplace_back(GraphEdge{source, target, defaults}).attributes;
    }

    Lexer lexer_;
    std::string_view origin_;
    Token token_;
    bool is_strict_ = false;
    unsigned depth_ = 0;
    Document document_;
    std::unordered_map<std::string, std::size_t> index_of_; ///< of vertices by their identifiers
    std::map<std::tuple<std::size_t, std::size_t, std::string>, std::size_t> single_edges_;
};

} // namespace dot_parser

graph_document::Document parse_dot(std::string_view text, std::string_view origin)
{
    return dot_parser::Parser(text, origin).parse();
}

} // namespace nocturne
