// Reads Chakra's execution traces, by the numbers of fields in et_def.proto (github.com/mlcommons/chakra).
#include "models/topology/files.hpp"
#include "models/topology/input_log.hpp"
#include "models/traffic/program_readers.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <protozero/pbf_reader.hpp>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

namespace nocturne {

namespace {

constexpr std::string_view first_ending = ".0.et";
constexpr double ns_per_us = 1000;

enum class ChakraNodeType : std::int32_t { send = 5, receive = 6, collective = 7 };

/// What is used of a node.
struct ChakraNode {
    std::uint64_t id = 0;
    std::int32_t type = 0;
    std::uint64_t duration_us = 0;
    std::vector<std::uint64_t> after;
    std::int64_t source = -1;
    std::int64_t destination = -1;
    std::int64_t tag = 0;
    std::int64_t size = -1;
    bool is_cpu = false;
};

/// Name and value of an attribute, if it is a number or a flag.
void read_attribute(protozero::pbf_reader attribute, ChakraNode& node)
{
    std::string name;
    std::int64_t value = 0;
    while (attribute.next())
        switch (attribute.tag()) {
        case 1:
            name = attribute.get_string();
            break;
        case 7:  // int32
        case 9:  // int64
        case 11: // uint32
        case 13: // uint64
        case 27: // bool
            value = attribute.get_int64();
            break;
        default:
            attribute.skip();
        }
    if (name == "comm_src")
        node.source = value;
    else if (name == "comm_dst")
        node.destination = value;
    else if (name == "comm_tag")
        node.tag = value;
    else if (name == "comm_size")
        node.size = value;
    else if (name == "is_cpu_op")
        node.is_cpu = value != 0;
}

ChakraNode node_in(protozero::pbf_reader message)
{
    ChakraNode node;
    while (message.next())
        switch (message.tag()) {
        case 1:
            node.id = message.get_uint64();
            break;
        case 3:
            node.type = message.get_enum();
            break;
        case 4:
        case 5:
            if (message.wire_type() == protozero::pbf_wire_type::length_delimited)
                for (const std::uint64_t before : message.get_packed_uint64())
                    node.after.push_back(before);
            else
                node.after.push_back(message.get_uint64());
            break;
        case 7:
            node.duration_us = message.get_uint64();
            break;
        case 10:
            read_attribute(message.get_message(), node);
            break;
        default:
            message.skip();
        }
    return node;
}

class ChakraReader {
public:
    explicit ChakraReader(const std::string& stem)
    {
        programs_.path = stem;
        programs_.form = RankPrograms::Form::chakra;
        programs_.ranks = 1;
        while (programs_.ranks < most_operations &&
               std::filesystem::exists(place_of(programs_, programs_.ranks, 0)))
            ++programs_.ranks;
    }

    RankPrograms read()
    {
        for (std::uint32_t rank = 0; rank < programs_.ranks; ++rank)
            read_rank(rank);
        return std::move(programs_);
    }

private:
    void read_rank(std::uint32_t rank)
    {
        rank_ = rank;
        number_ = 0;
        const std::string text = read_file(place_of(programs_, rank, 0));
        std::unordered_map<std::uint64_t, std::uint32_t> operations; ///< by identifier
        std::vector<std::pair<std::uint32_t, std::vector<std::uint64_t>>> waits;
        try {
            const char* at = text.data();
            const char* const end = at + text.size();
            for (bool is_metadata = true; at != end; is_metadata = false) {
                const std::uint64_t size = protozero::decode_varint(&at, end);
                if (size > static_cast<std::uint64_t>(end - at))
                    fail("the file ends in the middle of it");
                const protozero::pbf_reader message(at, static_cast<std::size_t>(size));
                at += size;
                if (is_metadata)
                    continue;
                ++number_;
                const ChakraNode node = node_in(message);
                if (programs_.operations.size() == most_operations)
                    fail(fmt::format("more than {} nodes", most_operations));
                const auto operation = static_cast<std::uint32_t>(programs_.operations.size());
                if (!operations.emplace(node.id, operation).second)
                    fail(fmt::format("identifier {} twice", node.id));
                add(node);
                waits.emplace_back(operation, node.after);
            }
        } catch (const protozero::exception&) {
            fail("no node of Chakra, as protobuf writes it");
        }
        for (const auto& [operation, before] : waits)
            for (const std::uint64_t id : before) {
                number_ = programs_.operations[operation].line;
                const auto found = operations.find(id);
                if (found == operations.end())
                    report(ProgramRule::unknown_dependency,
                           fmt::format("it depends on {}, which does not exist", id));
                else
                    programs_.operations[operation].after.push_back(found->second);
            }
    }

    [[noreturn]] void fail(const std::string& what) const
    {
        throw std::runtime_error(fmt::format("{}: {}", place_of(programs_, rank_, number_), what));
    }

    void report(ProgramRule rule, std::string text)
    {
        programs_.defects.push_back({rule, rank_, number_, std::move(text)});
    }

    void add(const ChakraNode& node)
    {
        RankPrograms::Operation operation;
        operation.rank = rank_;
        operation.line = number_;
        const auto type = static_cast<ChakraNodeType>(node.type);
        if (type == ChakraNodeType::collective)
            fail("a collective; sends and receives are read");
        if (type == ChakraNodeType::send || type == ChakraNodeType::receive) {
            const bool sends = type == ChakraNodeType::send;
            const std::int64_t peer = sends ? node.destination : node.source;
            if (peer < 0 || peer >= programs_.ranks)
                report(ProgramRule::unknown_rank,
                       fmt::format("{} {}; there are {} ranks", sends ? "comm_dst" : "comm_src", peer,
                                   programs_.ranks));
            else
                operation.kind = sends ? RankPrograms::Kind::send : RankPrograms::Kind::receive;
            operation.peer = static_cast<std::uint32_t>(peer);
            if (node.size < 0 || node.tag < 0)
                fail("a message without comm_size, or with a negative one or comm_tag");
            operation.bytes = static_cast<std::uint64_t>(node.size);
            operation.tag = static_cast<std::uint64_t>(node.tag);
        } else {
            operation.ns = static_cast<double>(node.duration_us) * ns_per_us;
            operation.cpu = node.is_cpu ? 0 : 1;
        }
        programs_.operations.push_back(std::move(operation));
    }

    RankPrograms programs_;
    std::uint32_t rank_ = 0;
    std::uint32_t number_ = 0; ///< of the node, from 1
};

} // namespace

std::optional<std::string> chakra_stem(const std::string& path)
{
    if (path.ends_with(first_ending))
        return path.substr(0, path.size() - first_ending.size());
    if (!std::filesystem::exists(path) && std::filesystem::exists(path + std::string(first_ending)))
        return path;
    std::optional<std::string> stem;
    if (std::filesystem::is_directory(path))
        for (const auto& entry : std::filesystem::directory_iterator(path))
            if (const std::string file = entry.path().string(); file.ends_with(first_ending)) {
                if (stem)
                    throw std::runtime_error(fmt::format("{}: several sets of traces: {} and {}{}", path,
                                                         file, *stem, first_ending));
                stem = file.substr(0, file.size() - first_ending.size());
            }
    return stem;
}

RankPrograms read_chakra(const std::string& stem)
{
    InputLog::remark(
        fmt::format("{}{}: of Chakra's traces start times, tensors and numbers of operations are not "
                    "used; nodes that are no messages take their duration",
                    stem, first_ending));
    return ChakraReader(stem).read();
}

} // namespace nocturne
