#include "models/topology/dot_parser.hpp"

#include "models/topology/dot_lexer.hpp"
#include "models/topology/input_log.hpp"
#include "models/topology/size.hpp"

#include <fmt/format.h>

#include <algorithm>
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

    /// The attributes of a new edge, with the defaults, or of one that is there already: if the graph is
    /// strict, or the key says so.
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
