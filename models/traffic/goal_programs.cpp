// Reads GOAL.
#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"
#include "models/topology/input_log.hpp"
#include "models/traffic/byte_source.hpp"
#include "models/traffic/program_readers.hpp"

#include <fmt/format.h>

#include <cctype>
#include <set>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

namespace nocturne {

namespace {

class GoalReader {
public:
    explicit GoalReader(const std::string& path) : path_(path), bytes_(path) { programs_.path = path; }

    RankPrograms read()
    {
        for (std::string line; bytes_.next_line(line);) {
            ++line_;
            split(line);
            if (!words_.empty())
                take_line();
        }
        if (is_in_comment_ || rank_)
            fail("the file ends in the middle of a rank or a comment");
        if (uses_nics_)
            InputLog::remark(fmt::format("{}: numbers of NICs in GOAL are not used", path_));
        return std::move(programs_);
    }

private:
    [[noreturn]] void fail(const std::string& what) const
    {
        throw std::runtime_error(fmt::format("{}:{}: {}", path_, line_, what));
    }

    /// Words, numbers and signs, without comments.
    void split(const std::string& line)
    {
        words_.clear();
        const auto is_of_word = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
        };
        for (std::size_t at = 0; at < line.size();) {
            if (is_in_comment_) {
                const std::size_t end = line.find("*/", at);
                is_in_comment_ = end == std::string::npos;
                at = is_in_comment_ ? line.size() : end + 2;
            } else if (line.compare(at, 2, "//") == 0) {
                return;
            } else if (line.compare(at, 2, "/*") == 0) {
                is_in_comment_ = true;
                at += 2;
            } else if (std::isspace(static_cast<unsigned char>(line[at])) != 0) {
                ++at;
            } else {
                std::size_t end = at + 1;
                while (is_of_word(line[at]) && end < line.size() && is_of_word(line[end]))
                    ++end;
                words_.push_back(line.substr(at, end - at));
                at = end;
            }
        }
    }

    void take_line()
    {
        next_ = 0;
        if (words_[0] == "num_ranks")
            take_ranks();
        else if (programs_.ranks == 0)
            fail("expected num_ranks first");
        else if (words_[0] == "rank" && (words_.size() != 3 || words_[2] == "{"))
            take_rank();
        else if (!rank_)
            fail(fmt::format("'{}': expected rank NUMBER {{", shortened(words_[0])));
        else if (words_[0] == "}")
            end_rank();
        else
            take_statement();
        if (next_ != words_.size())
            fail(fmt::format("'{}' is too much here", shortened(words_[next_])));
    }

    void take_ranks()
    {
        next_ = 1;
        if (programs_.ranks != 0)
            fail("num_ranks twice");
        const std::uint64_t ranks = number("num_ranks");
        if (ranks == 0 || ranks > most_operations)
            fail(fmt::format("{} ranks: expected 1 to {}", ranks, most_operations));
        programs_.ranks = static_cast<std::uint32_t>(ranks);
        programs_.ranks_line = line_;
    }

    void take_rank()
    {
        next_ = 1;
        if (rank_)
            fail("a rank within a rank");
        rank_ = rank("rank");
        if (!seen_.insert(*rank_).second)
            fail(fmt::format("rank {} twice", *rank_));
        expect("{");
        labels_.clear();
    }

    void end_rank()
    {
        next_ = 1;
        rank_.reset();
    }

    /// An operation with or without its label, or what one requires.
    void take_statement()
    {
        std::string label;
        if (words_[0] != "calc" && words_[0] != "send" && words_[0] != "recv") {
            label = words_[next_++];
            if (std::isalpha(static_cast<unsigned char>(label.front())) == 0)
                fail(fmt::format("'{}' is no label", shortened(label)));
            if (next_ < words_.size() && (words_[next_] == "requires" || words_[next_] == "irequires")) {
                const bool is_start = words_[next_++] == "irequires";
                const auto later = labelled(label), earlier = labelled(word("a label"));
                if (later && earlier) {
                    Operation& operation = programs_.operations[*later];
                    (is_start ? operation.after_start : operation.after).push_back(*earlier);
                }
                return;
            }
            expect(":");
        }
        if (programs_.operations.size() == most_operations)
            fail(fmt::format("more than {} operations", most_operations));
        const Operation operation = operation_here();
        if (!label.empty() &&
            !labels_.emplace(label, static_cast<std::uint32_t>(programs_.operations.size())).second)
            fail(fmt::format("label {} twice", shortened(label)));
        programs_.operations.push_back(operation);
    }

    using Operation = RankPrograms::Operation;

    Operation operation_here()
    {
        Operation operation;
        operation.rank = *rank_;
        operation.line = line_;
        const std::string what = word("calc, send or recv");
        if (what == "calc") {
            operation.ns = static_cast<double>(number("calc"));
        } else if (what == "send" || what == "recv") {
            operation.kind = what == "send" ? RankPrograms::Kind::send : RankPrograms::Kind::receive;
            std::string size = word("a size, as 8b");
            if (size.back() == 'b')
                size.pop_back();
            else
                expect("b");
            operation.bytes = number_in(size, "a size, as 8b");
            expect(what == "send" ? "to" : "from");
            if (what == "recv" && next_ < words_.size() && words_[next_] == "-1")
                fail("a receive from any source: which message it takes would depend on the network");
            const std::uint64_t peer = number(what == "send" ? "to" : "from");
            if (peer >= programs_.ranks) {
                report(ProgramRule::unknown_rank,
                       fmt::format("rank {} of {} in a message of rank {}", peer, programs_.ranks, *rank_));
                operation.kind = RankPrograms::Kind::compute;
            }
            operation.peer = static_cast<std::uint32_t>(peer);
        } else {
            fail(fmt::format("'{}': expected calc, send or recv", shortened(what)));
        }
        std::set<std::string> seen;
        while (next_ < words_.size()) {
            const std::string key = words_[next_++];
            if (!seen.insert(key).second)
                fail(fmt::format("{} twice", shortened(key)));
            if (key == "tag" && next_ < words_.size() && words_[next_] == "-1")
                fail("a receive with any tag: which message it takes would depend on the network");
            const std::uint64_t value = number(key.c_str());
            if (key == "cpu" && value <= 0xff)
                operation.cpu = static_cast<std::uint32_t>(value);
            else if (key == "tag" && what != "calc")
                operation.tag = value;
            else if (key == "nic" && what != "calc")
                uses_nics_ = uses_nics_ || value != 0;
            else
                fail(fmt::format("'{} {}': expected tag, cpu (to 255) or nic with a number", shortened(key),
                                 value));
        }
        return operation;
    }

    std::string word(const char* expected)
    {
        if (next_ == words_.size())
            fail(fmt::format("the line ends; expected {}", expected));
        return words_[next_++];
    }
    void expect(const char* expected)
    {
        if (const std::string found = word(expected); found != expected)
            fail(fmt::format("'{}': expected {}", shortened(found), expected));
    }
    std::uint64_t number_in(const std::string& text, const char* what) const
    {
        const auto found = number_of<std::uint64_t>(text);
        if (!found || *found > 1'000'000'000'000'000'000)
            fail(fmt::format("'{}': expected {}, a whole number", shortened(text), what));
        return found.value_or(0);
    }
    std::uint64_t number(const char* what) { return number_in(word(what), what); }
    std::uint32_t rank(const char* what)
    {
        const std::uint64_t found = number(what);
        if (found >= programs_.ranks)
            fail(fmt::format("rank {} of {}", found, programs_.ranks));
        return static_cast<std::uint32_t>(found);
    }
    std::optional<std::uint32_t> labelled(const std::string& label)
    {
        const auto found = labels_.find(label);
        if (found != labels_.end())
            return found->second;
        report(ProgramRule::unknown_dependency,
               fmt::format("no operation {} before this in rank {}", shortened(label), *rank_));
        return std::nullopt;
    }
    void report(ProgramRule rule, std::string text)
    {
        programs_.defects.push_back({rule, *rank_, line_, std::move(text)});
    }

    const std::string& path_;
    ByteSource bytes_;
    RankPrograms programs_;
    std::uint32_t line_ = 0;
    std::vector<std::string> words_;
    std::size_t next_ = 0; ///< of the words
    bool is_in_comment_ = false;
    bool uses_nics_ = false;
    std::optional<std::uint32_t> rank_;
    std::set<std::uint32_t> seen_;
    std::unordered_map<std::string, std::uint32_t> labels_; ///< of the rank
};

} // namespace

bool is_goal(const std::string& path)
{
    constexpr std::size_t most_looked_at = 1 << 16; // comments may stand before it
    ByteSource bytes(path);
    const std::span<const char> head = bytes.peek(most_looked_at);
    const std::string_view text(head.data(), head.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view rest = text.substr(at);
        if (std::isspace(static_cast<unsigned char>(rest.front())) != 0)
            ++at;
        else if (rest.starts_with("//"))
            at = std::min(text.find('\n', at), text.size());
        else if (rest.starts_with("/*"))
            at = text.find("*/", at) == std::string_view::npos ? text.size() : text.find("*/", at) + 2;
        else
            return rest.starts_with("num_ranks");
    }
    return false;
}

RankPrograms read_goal(const std::string& path)
{
    return GoalReader(path).read();
}

} // namespace nocturne
