#include "sim/cli/first_word_rows.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace nocturne::cli {

namespace {

constexpr bool general = true;

constexpr std::array first_words{
    FirstWords{
        "saturation saturate throughput load-latency load sweep sweep-load curve curves",
        "'nocturne traffic {net}{traffic} --saturation' finds the load at which it saturates, 'nocturne "
        "traffic {net}{traffic} --load 0.1:0.9:0.1' measures a curve"},
    FirstWords{
        "simulate simulation simulator sim run measure inject latency bench benchmark packets noc",
        "'nocturne traffic {net}{traffic}{load}' sends synthetic traffic, 'nocturne replay {file}' runs a "
        "schedule",
        general},
    FirstWords{"pareto front tradeoff trade-off",
               "'nocturne front {net} {kind}' computes the Pareto front of steps against bandwidth"},
    FirstWords{
        "heatmap heat hotspots congestion utilization utilisation",
        "'nocturne traffic {net}{traffic} --load {busy} --heat heat.svg' draws the use of channels over "
        "time, '--channel-use channels.csv' writes it"},
    FirstWords{
        "draw plot picture image diagram graph visualize visualise visualization svg show view display open "
        "animate movie gui html page",
        "'nocturne topology {net} -o {network.svg}' draws a network, 'nocturne report {file} -o page.html' "
        "makes a page of a network, a schedule or results"},
    FirstWords{"list ls topologies networks kinds generators",
               "'nocturne topology --list' lists the networks, 'nocturne schedule --help' the collectives"},
    FirstWords{
        "collectives patterns routings engines algorithms",
        "'nocturne schedule --help' lists collectives and engines, 'nocturne traffic --help' patterns and "
        "routings"},
    FirstWords{"info describe description properties stats metrics network net topo",
               "'nocturne topology {net} --measure' describes a network", general},
    FirstWords{"diameter bisection", "'nocturne topology {net} --measure' describes a network"},
    FirstWords{
        "shortest-path shortest-paths path paths distance distances hops hop-count average-distance",
        "'nocturne topology {net}' prints the hops of shortest paths, '--measure' more of them; in Python "
        "nocturne.Topology('{net}').hop_distances() has those of all pairs"},
    FirstWords{"generate create make build new save write",
               "'nocturne topology {net} -o {network.json}' writes a network", general},
    FirstWords{"find search solve synthesize synthesise synth plan collective scheduler algorithm compute "
               "sccl tacos "
               "teccl te-ccl",
               "'nocturne schedule {net} {kind}{bytes}' searches a schedule", general},
    FirstWords{"optimize optimise optimizer optimiser",
               "'nocturne schedule {net} {kind}{bytes}' searches a "
               "schedule, 'nocturne design 64 --links 4' a network",
               general},
    FirstWords{"nccl nccl-tests nccl-test rccl rccl-tests msccl mscclpp xml",
               "'nocturne schedule {gpus} {kind} --bytes {size} -o schedule.json' searches a schedule, "
               "'nocturne export schedule.json --msccl-xml schedule.xml' writes it for MSCCL"},
    FirstWords{
        "bandwidth busbw perf measured benchmark-log osu",
        "'nocturne audit all_reduce.log --topology dgx_h100' says how near measured times are to the least",
        general},
    FirstWords{"booksim booksim2 noxim garnet gem5 astra-sim astrasim",
               "'nocturne import {config}{settings}' gives the command that does what a configuration of "
               "BookSim2, Noxim, "
               "Garnet or ASTRA-sim says"},
    FirstWords{
        "nvidia-smi rocm-smi simai",
        "'nocturne import topo.txt --gpu H100 -o network.json' makes a network of what nvidia-smi topo -m "
        "or rocm-smi --showtopo printed, 'nocturne import topo.xml -o network.json' of NCCL's topology"},
    FirstWords{"verilog systemverilog sv rtl hdl synthesis",
               "'nocturne export {net} --rtl folder{hardware}' writes a network in SystemVerilog"},
    FirstWords{
        "check verify lint test judge",
        "'nocturne validate {file}' checks a schedule, 'nocturne topology {net} --routing auto' a routing",
        general},
    FirstWords{"deadlock cdg", "'nocturne topology {net} --routing {routing}' checks a routing for deadlock"},
    FirstWords{"route routing routes vcs",
               "'nocturne topology {net} --routing {routing}' checks a routing for deadlock", general},
    FirstWords{"prove proof optimal", "'nocturne certify {file}' checks the proof in a schedule's file"},
    FirstWords{"bound bounds lower limit limits ideal optimum lower-bound lowerbound minimum cost estimate",
               "'nocturne bound {net} {kind}{bytes}' computes lower bounds"},
    FirstWords{"repair fix reroute fault faults failure failures resilience",
               "'nocturne reschedule {file} --fault link:00-01' repairs a schedule, 'nocturne recover {file} "
               "--fault "
               "link:00-01 --at-step 1' runs it through the fault"},
    FirstWords{"convert translate",
               "'nocturne topology {net} -o {network.graphml}' converts a network{schedule}"},
    FirstWords{"power energy dsent orion",
               "'nocturne traffic {net}{traffic} --energy {energy}' counts energy with such a table{places}"},
    FirstWords{"trace workload netrace", "'nocturne traffic {net}{traffic} --trace {trace}' replays a trace"},
    FirstWords{"examples example tutorial demo quickstart start getting-started docs documentation manual",
               "'nocturne topology {net}', 'nocturne traffic {net}' and 'nocturne schedule {net} {kind}' are "
               "first steps; 'nocturne schedule --help' and the others end with examples"},
    FirstWords{
        "options settings configuration",
        "'nocturne traffic --help' lists the options of a command; '--config FILE' reads them from a file"},
};

} // namespace

std::string lower_case(std::string_view text)
{
    std::string lower;
    for (const char c : text)
        lower += c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower;
}

const FirstWords* find_row(std::string_view text)
{
    text = text.substr(0, std::min(text.find_last_not_of("?!,") + 1, text.size()));
    const std::string word = ' ' + lower_case(text) + ' ';
    const auto row = std::ranges::find_if(first_words, [&](const FirstWords& words) {
        return (' ' + std::string(words.words) + ' ').find(word) != std::string::npos;
    });
    return row == first_words.end() ? nullptr : &*row;
}

} // namespace nocturne::cli
