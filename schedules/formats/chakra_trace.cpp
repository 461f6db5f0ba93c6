
#include "schedules/formats/rank_operations.hpp"

#include <fmt/format.h>

#include <iterator>
#include <limits>
#include <protozero/pbf_writer.hpp>
#include <stdexcept>

namespace nocturne {

namespace {

/// Numbers of fields and of the values of NodeType, out of et_def.proto.
namespace field {
constexpr protozero::pbf_tag_type version = 1; // of GlobalMetadata
constexpr protozero::pbf_tag_type id = 1;      // of Node
constexpr protozero::pbf_tag_type name = 2;
constexpr protozero::pbf_tag_type type = 3;
constexpr protozero::pbf_tag_type data_deps = 5;
constexpr protozero::pbf_tag_type attributes = 10;
constexpr protozero::pbf_tag_type attribute_name = 1; // of AttributeProto
constexpr protozero::pbf_tag_type int32_value = 7;
constexpr protozero::pbf_tag_type int64_value = 9;
constexpr protozero::pbf_tag_type bool_value = 27;
} // namespace field

enum class ChakraType { computation = 4, send = 5, receive = 6 };

ChakraType type_of(RankOperation::Kind kind)
{
    switch (kind) {
    case RankOperation::Kind::send:
        return ChakraType::send;
    case RankOperation::Kind::receive:
        return ChakraType::receive;
    case RankOperation::Kind::local:
        break;
    }
    return ChakraType::computation;
}

void append_delimited(std::string& trace, const std::string& message)
{
    protozero::write_varint(std::back_inserter(trace), message.size());
    trace += message;
}

std::string node_of(const RankOperation& operation, std::uint32_t rank, std::uint64_t id)
{
    std::string message;
    protozero::pbf_writer node(message);
    const ChakraType type = type_of(operation.kind);
    const char* const verb = type == ChakraType::send ? "send" : operation.adds ? "add" : "copy";
    node.add_uint64(field::id, id);
    node.add_string(field::name, fmt::format("{} {}", verb, operation.transfer));
    node.add_enum(field::type, static_cast<std::int32_t>(type));
    node.add_packed_uint64(field::data_deps, operation.after.begin(), operation.after.end());
    const auto add_attribute = [&](const char* name, auto add_value) {
        protozero::pbf_writer attribute(node, field::attributes);
        attribute.add_string(field::attribute_name, name);
        add_value(attribute);
    };
    const auto add_number = [&](const char* name, std::uint32_t number) {
        add_attribute(name, [&](protozero::pbf_writer& attribute) {
            attribute.add_int32(field::int32_value, static_cast<std::int32_t>(number));
        });
    };
    add_attribute("is_cpu_op",
                  [](protozero::pbf_writer& attribute) { attribute.add_bool(field::bool_value, false); });
    if (type == ChakraType::computation) {
        add_attribute("num_ops",
                      [](protozero::pbf_writer& attribute) { attribute.add_int64(field::int64_value, 0); });
        return message;
    }
    const bool sends = type == ChakraType::send;
    add_number("comm_src", sends ? rank : operation.peer);
    add_number("comm_dst", sends ? operation.peer : rank);
    add_number("comm_tag", operation.transfer);
    add_attribute("comm_size", [&](protozero::pbf_writer& attribute) {
        attribute.add_int64(field::int64_value, static_cast<std::int64_t>(operation.bytes));
    });
    return message;
}

} // namespace

std::vector<std::string> to_chakra_traces(const Schedule& schedule, std::uint64_t bytes_per_weight)
{
    if (count_transfers(schedule) > std::numeric_limits<std::int32_t>::max())
        throw std::invalid_argument("Chakra's tags are numbers of 31 bits");
    const auto ranks = rank_operations(schedule, bytes_per_weight);
    for (const auto& operations : ranks)
        for (const RankOperation& operation : operations)
            if (operation.bytes > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
                throw std::invalid_argument("Chakra's sizes are numbers of 63 bits");
    std::vector<std::string> traces(ranks.size());
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
        std::string metadata;
        protozero::pbf_writer(metadata).add_string(field::version, "0.0.4");
        append_delimited(traces[rank], metadata);
        for (std::size_t id = 0; id < ranks[rank].size(); ++id)
            append_delimited(traces[rank], node_of(ranks[rank][id], rank, id));
    }
    return traces;
}

} // namespace nocturne
