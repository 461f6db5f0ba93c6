// The table of engines: what `--engine` can name.
#include "schedules/optimize/construct.hpp"
#include "schedules/optimize/engine.hpp"

#include <array>

namespace nocturne {
namespace {

constexpr std::array table{
    Engine{"construct", "constructions with a proof, without a search", suits_construction,
           search_construction},
};

} // namespace

std::span<const Engine> engines()
{
    return table;
}

} // namespace nocturne
