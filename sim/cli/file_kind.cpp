#include "sim/cli/file_kind.hpp"

#include "models/text/utf8.hpp"
#include "models/topology/files.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/topology_files.hpp"
#include "models/traffic/program_readers.hpp"
#include "schedules/schedule/schedule_files.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace nocturne::cli {

namespace {

struct KindText {
    FileKind kind;
    std::string_view in_words;
    std::string_view format = {}; ///< the member "format" of its JSON
};

constexpr std::array kind_texts{
    KindText{FileKind::schedule, "only for a schedule in steps", "nocturne-schedule"},
    KindText{FileKind::bound, "a bound without a schedule", "nocturne-bound"},
    KindText{FileKind::chunks, "a schedule in chunks, or bounds of one",
             "nocturne-chunks"}, // until version 3
    KindText{FileKind::foreign, "a schedule in chunks"},
    KindText{FileKind::topology, "a topology", "nocturne-topology"},
    KindText{FileKind::topology, "a topology", "nocturne-composition"},
    KindText{FileKind::checkpoint, "the state of a search (schedule --checkpoint)", "nocturne-checkpoint"},
    KindText{FileKind::evolution_checkpoint, "the state of an evolution (evolve --checkpoint)",
             "nocturne-evolution"},
    KindText{FileKind::traffic_points, "points of traffic (traffic --checkpoint)", "nocturne-traffic-points"},
    KindText{FileKind::energy_table, "a table of energies", "nocturne-energy"},
    KindText{FileKind::slot_table, "a slot table (contract -o)", "nocturne-slots"},
    KindText{FileKind::packet_log, "a packet log (traffic --packet-log)", "nocturne-packets"},
    KindText{FileKind::programs, "programs of ranks (validate judges, traffic --trace runs them)"},
    KindText{FileKind::trace, "a trace of messages (traffic --trace runs it)"},
    KindText{FileKind::result, "a result (--json)"},
    KindText{FileKind::sqlite, "a database, as sweeps write"},
    KindText{FileKind::xml, "XML of another kind"},
    KindText{FileKind::json, "JSON of another kind"},
    KindText{FileKind::empty, "empty"},
    KindText{FileKind::other, "of an unknown format"},
};

/// Reads JSON up to the outermost members "format" and, of schedules, "version" and "switching", or to its
/// end.
class FormatFinder final : public nlohmann::json_sax<nlohmann::json> {
public:
    std::string format;    ///< empty: it has none that is a text
    std::string switching; ///< the same
    std::uint64_t version = 0;
    bool has_steps = false;  ///< an outermost member of that name
    bool has_result = false; ///< likewise, before any format
    bool is_broken = false;

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t value) override
    {
        if (member_ == "version")
            version = value;
        return !is_found();
    }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool string(string_t& value) override
    {
        if (member_ == "format")
            format = value;
        else if (member_ == "switching")
            switching = value;
        return !is_found();
    }
    bool start_object(std::size_t) override { return enter(); }
    bool end_object() override { return leave(); }
    bool start_array(std::size_t) override { return enter(); }
    bool end_array() override { return leave(); }
    bool key(string_t& name) override
    {
        member_ = depth_ == 1 ? name : "";
        has_steps = has_steps || member_ == "steps";
        has_result = has_result || member_ == "result";
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override
    {
        is_broken = true;
        return false;
    }

    /// Does it say all that tells what it is?
    bool is_found() const
    {
        const bool is_of_schedule = format == "nocturne-schedule" || format == "nocturne-bound";
        return !format.empty() && (!is_of_schedule || (version > 0 && version < 3) || !switching.empty());
    }

private:
    bool enter()
    {
        member_.clear();
        ++depth_;
        return true;
    }
    bool leave()
    {
        --depth_;
        return true;
    }

    int depth_ = 0;
    std::string member_; ///< the outermost one whose value is next
};

FormatFinder look_into(std::string_view text)
{
    FormatFinder finder;
    nlohmann::json::sax_parse(text, &finder);
    return finder;
}

FileKind kind_of_json(const std::filesystem::path& path, std::string_view head)
{
    FormatFinder found = look_into(head);
    if (!found.is_found() && !found.has_result) // not near the beginning
        found = look_into(read_file(path));
    if (found.has_result && found.format.empty())
        return FileKind::result;
    if (found.switching == to_string(Switching::memory_to_memory))
        return FileKind::chunks;
    const auto text = std::ranges::find_if(
        kind_texts, [&](const KindText& one) { return !one.format.empty() && one.format == found.format; });
    if (text != kind_texts.end())
        return text->kind;
    if (!found.format.empty() || found.is_broken)
        return FileKind::json;
    return found.has_steps ? FileKind::schedule : FileKind::json;
}

/// What it begins with, which is kept in `buffer`.
std::string_view head_of(FilePieces& file, std::string& buffer)
{
    buffer.resize(4096);
    return without_byte_order_mark(std::string_view(buffer).substr(0, file.next(buffer)));
}

/// `a schedule in steps`, `a schedule in chunks, in MSCCL XML`
std::string in_words(const std::filesystem::path& path, FileKind kind)
{
    const std::string text(std::ranges::find(kind_texts, kind, &KindText::kind)->in_words);
    return kind == FileKind::foreign ? fmt::format("{}, {}", text, format_of_file(path)->of_a_file) : text;
}

} // namespace

FileKind kind_of_file(const std::filesystem::path& path)
{
    if (chakra_stem(path.string()))
        return FileKind::programs;
    std::error_code error;
    if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error))
        return FileKind::json; // a pipe is read once, by its reader
    if (!std::filesystem::exists(path, error) && is_specification(path.string()))
        throw std::runtime_error(
            fmt::format("{0} is a network, not a file: 'nocturne schedule {0} allreduce -o schedule.json' "
                        "makes the file of a schedule",
                        path.string()));
    FilePieces file(path);
    if (is_binary_schedule(path))
        return FileKind::schedule;
    std::string buffer;
    const std::string_view head = head_of(file, buffer);
    if (recognized_format(head) != nullptr)
        return FileKind::foreign;
    if (head.starts_with("SQLite format 3"))
        return FileKind::sqlite;
    const std::size_t begin = head.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos)
        return FileKind::empty;
    if (head[begin] == '{' || head[begin] == '[')
        return kind_of_json(path, head);
    if (is_goal(path.string()))
        return FileKind::programs;
    if (is_topology_text(path, head))
        return FileKind::topology;
    if (head.starts_with("cycle,source,destination,"))
        return FileKind::trace;
    return head[begin] == '<' ? FileKind::xml : FileKind::other;
}

void require_kind(const std::filesystem::path& path, std::span<const FileKind> kinds, std::string_view wanted)
{
    const FileKind kind = kind_of_file(path);
    if (kind != FileKind::json && std::ranges::find(kinds, kind) == kinds.end())
        throw std::runtime_error(
            fmt::format("{}: this is {}; {} is wanted", path.string(), in_words(path, kind), wanted));
}

bool is_file_name(std::string_view text)
{
    std::error_code none;
    return std::filesystem::is_regular_file(text, none);
}

std::string beginning_of(const std::filesystem::path& path)
{
    FilePieces file(path);
    std::string beginning(std::size_t{1} << 16, '\0');
    beginning.resize(file.next(beginning));
    return beginning;
}

const ScheduleFormat* format_of_file(const std::filesystem::path& path)
{
    FilePieces file(path);
    std::string buffer;
    return recognized_format(head_of(file, buffer));
}

} // namespace nocturne::cli
