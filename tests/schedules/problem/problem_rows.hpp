// Problems in words, and tables of what is known of them.
#pragma once

#include "schedules/problem/problem.hpp"

#include <string>
#include <vector>

namespace nocturne::test {

/// `COLLECTIVE [source=3] [senders=0,2] [receivers=1,3] [image=1,0] [parts=2] [ports=1] [slack=0] [hops]
/// [fault=link:00-01]…` on a network. Ports are those of the network where none are given, `hops` is
/// store-and-forward switching, and in a list of processors `even` and `odd` are every second one.
Problem problem_in_words(const std::string& network, const std::string& words);

struct ProblemRow {
    std::string place;
    std::string group;
    Problem problem;
    std::string expected;
};

/// Of the rows `WORDS | NETWORK EXPECTED ;; NETWORK EXPECTED …` of a table (tests/rows.hpp), each problem.
std::vector<ProblemRow> problem_rows(const std::string& path);

} // namespace nocturne::test
