// Steps of a thread block as the executor's parser has them (msccl-executor-nccl, msccl_parser.cc).
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <pugixml.hpp>
#include <string>
#include <vector>

namespace nocturne::test {

[[noreturn]] void wrong(const std::string& what);
int number(const pugi::xml_node& node, const char* name);

struct Transmission {
    std::string type;
    char source_buffer = 'i', destination_buffer = 'i';
    std::vector<int> sources; ///< offsets; several for fused reductions
    int destination = 0, count = 0;
    bool has_dependence = false;
    std::vector<std::array<int, 2>> waits;

    bool is(std::initializer_list<const char*> types) const
    {
        return std::any_of(types.begin(), types.end(), [&](const char* one) { return type == one; });
    }
    bool receives() const { return is({"r", "rcs", "rrs", "rrc", "rrcs"}); }
    bool sends() const { return is({"s", "rcs", "rrs", "rrcs"}); }
    bool loads() const { return !is({"r", "rcs"}); }
    bool stores() const { return !is({"s", "rrs"}); }
};

/// `declared` is what buffers have. Throws std::runtime_error for what executors do not take.
std::vector<Transmission> load_transmissions(const pugi::xml_node& tb, int send, int receive,
                                             std::map<char, int> declared);

} // namespace nocturne::test
