// The subcommands: each takes the arguments behind its name and returns the exit status. They throw for bad
// use and bad input.
#pragma once

#include <string>
#include <vector>

namespace nocturne::cli {

int run_topology(const std::vector<std::string>& arguments);
int run_design(const std::vector<std::string>& arguments);
int run_bound(const std::vector<std::string>& arguments);
int run_schedule(const std::vector<std::string>& arguments);
int run_reschedule(const std::vector<std::string>& arguments);
int run_evolve(const std::vector<std::string>& arguments);
int run_certify(const std::vector<std::string>& arguments);
int run_validate(const std::vector<std::string>& arguments);
int run_replay(const std::vector<std::string>& arguments);
int run_recover(const std::vector<std::string>& arguments);
int run_traffic(const std::vector<std::string>& arguments);
int run_benes(const std::vector<std::string>& arguments);
int run_front(const std::vector<std::string>& arguments);
int run_compare(const std::vector<std::string>& arguments);
int run_export(const std::vector<std::string>& arguments);
int run_sweep(const std::vector<std::string>& arguments);

} // namespace nocturne::cli
