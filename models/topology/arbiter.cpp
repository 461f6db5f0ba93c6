#include "models/topology/arbiter.hpp"

#include "models/text/unknown_name.hpp"

#include <algorithm>
#include <stdexcept>

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
    const std::vector<std::string> known = arbiter_names();
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end())
        throw std::invalid_argument(unknown_name("arbiter", name, known));
    return static_cast<ArbiterKind>(found - known.begin());
}

} // namespace nocturne
