#include "models/traffic/trace.hpp"

#include "models/text/csv.hpp"
#include "models/text/number.hpp"
#include "models/text/utf8.hpp"
#include "models/topology/csv_rows.hpp"
#include "models/topology/plain_numbers.hpp"
#include "models/traffic/byte_source.hpp"
#include "models/traffic/netrace.hpp"
#include "models/traffic/npe_workload.hpp"

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace nocturne {
namespace {

constexpr std::string_view header = "cycle,source,destination,bytes,after";
constexpr std::string_view header_with_class = "cycle,source,destination,bytes,after,class";

std::uint64_t count_in(std::string_view text, std::string_view what)
{
    const auto number = number_of<std::uint64_t>(text);
    if (!number)
        throw std::invalid_argument(fmt::format("{} '{}' is no whole number", what, text));
    return *number;
}

class CsvTrace final : public TraceReader {
public:
    CsvTrace(const Topology& topology, const std::string& path, std::unique_ptr<ByteSource> bytes)
        : topology_(topology), path_(path), bytes_(std::move(bytes)), numbers_(topology, "processors")
    {
        const std::string expected =
            fmt::format("expected the header {}, or a trace of netrace, tt-npe, GOAL or Chakra", header);
        if (!next_row())
            throw std::runtime_error(fmt::format("{}: {}", path, expected));
        has_classes_ = line_ == header_with_class;
        if (line_ != header && !has_classes_)
            fail(expected);
    }

    bool next(TraceMessage& message) override
    {
        if (!next_row())
            return false;
        try {
            read(message);
        } catch (const std::invalid_argument& error) {
            fail(error.what());
        }
        ++count_;
        return true;
    }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };

    [[noreturn]] void fail(std::string_view what) const
    {
        throw std::runtime_error(fmt::format("{}:{}: {}", path_, line_number_, what));
    }

    /// The next line that is no comment, into line_.
    bool next_row()
    {
        while (bytes_->next_line(line_)) {
            if (++line_number_ == 1)
                line_.erase(0, line_.size() - without_byte_order_mark(line_).size());
            boost::trim_right(line_);
            if (!line_.empty() && line_.front() != '#')
                return true;
        }
        return false;
    }

    void read(TraceMessage& message)
    {
        const bool has_quotes = line_.find('"') != std::string::npos;
        const std::vector<std::string> unquoted = has_quotes ? csv_fields(line_) : std::vector<std::string>();
        require_csv_fields(has_quotes ? unquoted.size()
                                      : static_cast<std::size_t>(std::ranges::count(line_, ',')) + 1,
                           has_classes_ ? header_with_class : header);
        std::array<std::string_view, 6> fields;
        std::string_view rest = line_; // without quotes nothing is copied: traces are long
        for (std::size_t i = 0; i < (has_classes_ ? 6 : 5); ++i) {
            fields[i] = has_quotes ? std::string_view(unquoted[i]) : rest.substr(0, rest.find(','));
            rest.remove_prefix(std::min(rest.size(), fields[i].size() + 1));
        }
        if (count_ == most_trace_messages)
            throw std::invalid_argument(fmt::format("more than {} messages", most_trace_messages));
        message.cycle = count_in(fields[0], "cycle");
        message.source = processor_in(fields[1]);
        read_destinations(message, fields[2]);
        message.bytes = count_in(fields[3], "size");
        message.earliest = 0;
        if (message.bytes == 0)
            throw std::invalid_argument("a message of 0 bytes");
        const std::uint64_t of_class = has_classes_ ? count_in(fields[5], "class") : 0;
        if (of_class >= most_trace_classes)
            throw std::invalid_argument(
                fmt::format("class {}; they are from 0 to {}", of_class, most_trace_classes - 1));
        message.of_class = static_cast<std::uint32_t>(of_class);
        message.after.clear();
        for (std::string_view list = fields[4]; !list.empty();) {
            const std::string_view word = list.substr(0, list.find(' '));
            list.remove_prefix(std::min(list.size(), word.size() + 1));
            if (!word.empty())
                message.after.push_back(number_before(word));
        }
    }

    /// A name may have spaces in it.
    void read_destinations(TraceMessage& message, std::string_view names)
    {
        message.others.clear();
        if (names.find(' ') == std::string_view::npos || find_processor(names)) {
            message.destination = processor_in(names);
            return;
        }
        std::vector<std::string> words;
        boost::split(words, names, boost::is_any_of(" "), boost::token_compress_on);
        for (const std::string& word : words) {
            message.others.push_back(processor_in(word));
            if (std::ranges::count(message.others, message.others.back()) > 1)
                throw std::invalid_argument(fmt::format("destination '{}' twice", word));
        }
        message.destination = message.others.front();
        message.others.erase(message.others.begin());
    }

    std::uint32_t number_before(std::string_view word) const
    {
        const std::uint64_t before = count_in(word, "message");
        if (before >= count_)
            throw std::invalid_argument(
                fmt::format("message {} waits for message {}, which is not before it", count_, before));
        return static_cast<std::uint32_t>(before);
    }

    std::optional<ProcessorId> find_processor(std::string_view name)
    {
        if (const auto known = known_.find(name); known != known_.end())
            return known->second;
        const auto id = numbers_.find_processor(name);
        if (id)
            known_.emplace(name, *id);
        return id;
    }

    ProcessorId processor_in(std::string_view name)
    {
        const auto id = find_processor(name);
        if (!id)
            throw std::invalid_argument(fmt::format("{} has no processor '{}'", topology_.name(), name));
        return *id;
    }

    const Topology& topology_;
    const std::string path_;
    const std::unique_ptr<ByteSource> bytes_;
    PlainNumbers numbers_;
    std::unordered_map<std::string, ProcessorId, Hash, std::equal_to<>> known_; ///< names that were found
    std::string line_;
    bool has_classes_ = false;
    std::size_t line_number_ = 0;
    std::uint64_t count_ = 0; ///< messages so far
};

} // namespace

bool TraceList::next(TraceMessage& message)
{
    if (next_ == messages_.size())
        return false;
    message = messages_[next_++];
    return true;
}

std::unique_ptr<TraceReader> open_trace(const Topology& topology, const std::string& path)
{
    auto bytes = std::make_unique<ByteSource>(path);
    if (is_netrace(*bytes))
        return open_netrace(topology, path, std::move(bytes));
    if (is_npe_workload(*bytes))
        return open_npe_workload(topology, path, *bytes);
    return std::make_unique<CsvTrace>(topology, path, std::move(bytes));
}

std::vector<TraceMessage> read_trace(const Topology& topology, const std::string& path)
{
    const std::unique_ptr<TraceReader> reader = open_trace(topology, path);
    std::vector<TraceMessage> trace;
    for (TraceMessage message; reader->next(message);)
        trace.push_back(message);
    return trace;
}

TraceSummary summary_of(TraceReader& trace)
{
    TraceSummary summary;
    std::uint64_t now = 0;
    for (TraceMessage message; trace.next(message); ++summary.messages) {
        summary.classes = std::max(summary.classes, message.of_class + 1);
        if (!message.others.empty())
            summary.multicast_bytes = std::max(summary.multicast_bytes, message.bytes);
        if (!message.after.empty()) {
            summary.has_dependencies = true;
            continue;
        }
        summary.is_sorted = summary.is_sorted && message.cycle >= now;
        now = std::max(now, message.cycle);
    }
    return summary;
}

} // namespace nocturne
