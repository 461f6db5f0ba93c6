#include "tests/schedules/formats/mutated_program.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

namespace nocturne::test {

std::string numbered(const pugi::xml_document& document)
{
    for (const pugi::xml_node gpu : document.child("algo").children("gpu")) {
        int block = 0;
        for (const pugi::xml_node tb : gpu.children("tb")) {
            tb.attribute("id").set_value(block++);
            int number = 0;
            for (const pugi::xml_node step : tb.children("step"))
                step.attribute("s").set_value(number++);
        }
    }
    std::ostringstream text;
    document.save(text, "", pugi::format_default | pugi::format_no_declaration);
    return text.str();
}

std::string mutated(const std::string& xml, SplitMix64& random)
{
    pugi::xml_document document;
    document.load_string(xml.c_str());
    std::vector<pugi::xml_node> steps, blocks;
    for (const pugi::xml_node gpu : document.child("algo").children("gpu"))
        for (const pugi::xml_node block : gpu.children("tb")) {
            blocks.push_back(block);
            for (const pugi::xml_node one : block.children("step"))
                steps.push_back(one);
        }
    if (steps.empty())
        return xml;
    const pugi::xml_node one = steps[random.below(static_cast<std::uint32_t>(steps.size()))];
    const pugi::xml_node block = blocks[random.below(static_cast<std::uint32_t>(blocks.size()))];
    pugi::xml_node parent = one.parent();
    const auto shift = [&](const pugi::xml_node& node, const char* name) {
        const int value = node.attribute(name).as_int() + (random.below(2) == 0 ? 1 : -1);
        node.attribute(name).set_value(std::max(value, -1));
    };
    constexpr const char* types[] = {"s", "r", "rcs", "rrc", "rrs", "rrcs", "cpy", "re", "nop"};
    constexpr const char* buffers[] = {"i", "o", "s"};
    switch (random.below(14)) {
    case 0:
        one.attribute("type").set_value(types[random.below(9)]);
        break;
    case 1:
        shift(one, "srcoff");
        break;
    case 2:
        shift(one, "dstoff");
        break;
    case 3:
        one.attribute(random.below(2) == 0 ? "srcbuf" : "dstbuf").set_value(buffers[random.below(3)]);
        break;
    case 4:
        one.attribute("cnt").set_value(static_cast<int>(random.below(4)));
        break;
    case 5:
        one.attribute("hasdep").set_value(1 - one.attribute("hasdep").as_int());
        break;
    case 6:
        one.attribute("depid").set_value(-1);
        one.attribute("deps").set_value(-1);
        break;
    case 7:
        shift(one, random.below(2) == 0 ? "depid" : "deps");
        break;
    case 8:
        parent.remove_child(one);
        break;
    case 9:
        if (one.next_sibling())
            parent.insert_move_after(one, one.next_sibling());
        break;
    case 10:
        parent.insert_copy_after(one, one);
        break;
    case 11:
        shift(block, random.below(2) == 0 ? "send" : "recv");
        break;
    case 12:
        block.attribute("chan").set_value(static_cast<int>(random.below(3)));
        break;
    default: {
        const pugi::xml_node head = document.child("algo");
        const char* names[] = {"inplace", "outofplace"};
        const char* name = names[random.below(2)];
        if (!head.attribute(name))
            document.child("algo").append_attribute(name);
        head.attribute(name).set_value(static_cast<int>(random.below(2)));
        break;
    }
    }
    return numbered(document);
}

} // namespace nocturne::test
