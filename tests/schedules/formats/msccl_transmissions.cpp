#include "tests/schedules/formats/msccl_transmissions.hpp"

#include <stdexcept>
#include <utility>

namespace nocturne::test {

void wrong(const std::string& what)
{
    throw std::runtime_error(what);
}

int number(const pugi::xml_node& node, const char* name)
{
    if (!node.attribute(name))
        wrong(std::string("no ") + name);
    return std::stoi(node.attribute(name).value());
}

std::vector<Transmission> load_transmissions(const pugi::xml_node& tb, int send, int receive,
                                             std::map<char, int> declared)
{
    std::vector<Transmission> program;
    std::vector<std::array<int, 2>> waits;
    for (const pugi::xml_node& node : tb.children("step")) {
        Transmission one;
        one.type = node.attribute("type").value();
        one.source_buffer = *node.attribute("srcbuf").value();
        one.destination_buffer = *node.attribute("dstbuf").value();
        one.sources = {number(node, "srcoff")};
        one.destination = number(node, "dstoff");
        one.count = number(node, "cnt");
        one.has_dependence = number(node, "hasdep") == 1;
        if (number(node, "depid") >= 0) {
            if (number(node, "deps") < 0)
                wrong("waits for no step");
            waits.push_back({number(node, "depid"), number(node, "deps")});
        }
        if (one.type == "nop")
            continue;
        if (!one.is({"s", "r", "rcs", "rrs", "rrc", "rrcs", "cpy", "re"}) || one.count > 71)
            wrong("no such step");
        if ((one.sends() && send < 0) || (one.receives() && receive < 0))
            wrong("no connection");
        const auto within = [&](char buffer, int offset) {
            return !declared.contains(buffer) || one.count == 0 ||
                   (offset >= 0 && offset + one.count <= declared[buffer]);
        };
        if ((one.loads() && !within(one.source_buffer, one.sources[0])) ||
            (one.stores() && !within(one.destination_buffer, one.destination)))
            wrong("outside a buffer");
        Transmission* last = program.empty() ? nullptr : &program.back();
        if (one.type == "re" && last != nullptr && last->type == "re" && !last->has_dependence &&
            number(node, "depid") < 0 && last->destination_buffer == one.destination_buffer &&
            last->source_buffer == one.source_buffer && last->destination == one.destination) {
            last->sources.push_back(one.sources[0]);
            if (last->count != one.count)
                wrong("fused additions of another size");
            last->has_dependence = one.has_dependence;
            if (!waits.empty())
                wrong("waits of a nop are lost");
            continue;
        }
        if (!waits.empty() && number(node, "depid") < 0)
            wrong("waits of a nop are lost");
        one.waits = std::exchange(waits, {});
        program.push_back(std::move(one));
    }
    return program;
}

} // namespace nocturne::test
