#include "models/topology/arbiter.hpp"

#include "models/text/unknown_name.hpp"

namespace nocturne {

std::vector<std::string> arbiter_names()
{
    return {"round_robin", "matrix", "age", "priority"};
}

std::string to_string(ArbiterKind kind)
{
    return arbiter_names()[static_cast<std::size_t>(kind)];
}

ArbiterKind parse_arbiter(std::string_view name)
{
    return static_cast<ArbiterKind>(index_of_name("arbiter", name, arbiter_names()));
}

} // namespace nocturne
