// What a page shows of the files that `nocturne report` is given.
#pragma once

#include "models/topology/topology.hpp"
#include "sim/cli/option_values.hpp"
#include "sim/cli/report_subjects.hpp"
#include "sim/page/movie.hpp"
#include "sim/report/result_description.hpp"
#include "sim/report/summary.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace nocturne::cli {

/// What the page will hold, as page_of() takes it.
class ReportContent {
public:
    explicit ReportContent(const OptionValues& given) : given_(given) {}

    /// Of any kind of result, schedule, bound, network or table. Throws std::runtime_error, one line that
    /// names the file, for what cannot be shown.
    void add_file(const std::string& file);
    nlohmann::ordered_json finished() &&;
    std::size_t movies() const { return movies_.size(); }
    std::size_t results() const { return results_.size(); }
    /// What the page says first: of each result with a summary its subject and its headline; before these, of
    /// several comparisons, what they say together.
    std::vector<std::string> headlines() const;
    /// When all files have been added.
    void tell_subjects_apart() { cli::tell_subjects_apart(results_); }
    /// Is there one, so that its network can be named?
    bool has_schedules() const { return has_schedules_; }

private:
    /// `facts`: more of what its summary is made from.
    void add_result(const std::string& file, const ResultDescription& kind, nlohmann::ordered_json fields,
                    nlohmann::ordered_json made_by, const nlohmann::ordered_json& facts = nullptr);
    void add_json(const std::string& file);
    void add_messages(const std::string& file);
    void add_chunks(const std::string& file);
    /// Of another tool.
    void add_foreign(const std::string& file);
    void add_network(const std::string& file);
    void add_table(const std::string& file, nlohmann::ordered_json table);
    /// Its number; the same networks are one.
    std::size_t network_number(const Topology& topology);
    void add_movie(const std::string& file, Movie movie, const Topology& topology);

    const OptionValues& given_;
    std::vector<const ResultDescription*> kinds_;
    std::vector<Comparison> comparisons_;
    nlohmann::ordered_json results_ = nlohmann::ordered_json::array();
    nlohmann::ordered_json networks_ = nlohmann::ordered_json::array();
    nlohmann::ordered_json movies_ = nlohmann::ordered_json::array();
    std::vector<std::string> network_texts_;
    std::size_t movie_characters_ = 0;
    bool has_schedules_ = false;
};

} // namespace nocturne::cli
