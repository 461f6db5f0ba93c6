#include "sim/sweep/point_result.hpp"

#include "models/text/child_process.hpp"
#include "models/text/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

namespace nocturne {
namespace {

/// From now on the standard stream goes into the file.
void catch_stream(int stream, const MemoryFile& file)
{
    if (dup2(file.descriptor(), stream) < 0)
        throw std::runtime_error(fmt::format("output in memory: {}", std::strerror(errno)));
}

/// Without its line end and the name of the program.
std::string last_line(std::string text)
{
    constexpr std::string_view program = "nocturne: ";
    text.erase(text.find_last_not_of(" \n") + 1);
    text.erase(0, text.rfind('\n') + 1); // npos + 1 is 0
    return text.starts_with(program) ? text.substr(program.size()) : text;
}

/// Without the lines that say one of the remarks.
std::string without_remarks(const std::string& text, const std::vector<std::string>& remarks)
{
    std::string rest;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (std::find(remarks.begin(), remarks.end(), last_line(line)) == remarks.end())
            rest += line + '\n';
    return rest;
}

/// Moves what depends on the clock from the JSON at `name` to `clock`.
void take_clock(nlohmann::ordered_json& json, const std::string& name, nlohmann::ordered_json& clock)
{
    const auto name_of = [&](const std::string& member) {
        return name.empty() ? member : name + '_' + member;
    };
    if (json.is_array())
        for (std::size_t i = 0; i < json.size(); ++i)
            take_clock(json[i], name_of(std::to_string(i)), clock);
    if (!json.is_object())
        return;
    for (auto member = json.begin(); member != json.end();) {
        if (member.value().is_primitive() && depends_on_clock(member.key())) {
            clock[name_of(member.key())] = member.value();
            member = json.erase(member);
        } else {
            take_clock(member.value(), name_of(member.key()), clock);
            ++member;
        }
    }
}

} // namespace

bool depends_on_clock(std::string_view member)
{
    for (const std::string_view name : {"seconds", "time_s"})
        if (member == name || (member.ends_with(name) && member[member.size() - name.size() - 1] == '_'))
            return true;
    return false;
}

CaughtOutput run_caught(const CommandLine& run, const std::vector<std::string>& arguments)
{
    const MemoryFile out, err;
    catch_stream(STDOUT_FILENO, out);
    catch_stream(STDERR_FILENO, err);
    CaughtOutput output;
    output.status = run(arguments);
    std::cout.flush();
    std::fflush(stdout);
    std::fflush(stderr);
    output.out = out.content();
    output.err = err.content();
    return output;
}

PointResult run_point(const CommandLine& run, const std::vector<std::string>& arguments)
{
    PointResult result;
    const CaughtOutput output = [&] {
        const InputLog log;
        CaughtOutput caught = run_caught(run, arguments);
        result.inputs = log.files();
        result.remarks = log.remarks();
        return caught;
    }();
    result.status = output.status;
    if (output.status != 0)
        result.error = last_line(without_remarks(output.err, result.remarks));
    nlohmann::ordered_json document = ordered_json_or_discarded(output.out);
    nlohmann::ordered_json clock = nlohmann::ordered_json::object();
    if (document.is_object()) {
        document.erase("made_by");
        take_clock(document, "", clock);
        result.document = json_text(document);
    } else if (output.status == 0) {
        result.error = "printed no JSON object";
    }
    result.clock = json_text(clock);
    return result;
}

std::vector<std::uint8_t> bytes_of(const PointResult& result)
{
    return json_to_cbor(
        {result.status, result.error, result.document, result.clock, result.inputs, result.remarks});
}

PointResult point_result_of(std::span<const std::uint8_t> bytes)
{
    const nlohmann::json json = json_from_cbor(bytes);
    return {json.at(0).get<int>(),         json.at(1).get<std::string>(),
            json.at(2).get<std::string>(), json.at(3).get<std::string>(),
            json.at(4).get<FileDigests>(), json.at(5).get<std::vector<std::string>>()};
}

} // namespace nocturne
