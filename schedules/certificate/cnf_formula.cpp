#include "schedules/certificate/cnf_formula.hpp"

#include <fmt/format.h>

#include <iterator>

namespace nocturne {

std::string to_dimacs(const Formula& formula)
{
    std::string text = fmt::format("p cnf {} {}\n", formula.variable_count(), formula.clause_count());
    const auto out = std::back_inserter(text);
    for (std::size_t i = 0; i < formula.clause_count(); ++i) {
        for (const Literal literal : formula.clause(i))
            fmt::format_to(out, "{} ", literal);
        text += "0\n";
    }
    return text;
}

} // namespace nocturne
