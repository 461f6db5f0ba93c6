#include "tests/models/hardware/benes_columns.hpp"

#include "models/traffic/permutation.hpp"

#include <fmt/format.h>

#include <numeric>
#include <stdexcept>

namespace nocturne {
namespace {

constexpr std::uint32_t none = ~0u;

} // namespace

BenesColumn::BenesColumn(const sc_core::sc_module_name& name, const BenesWiring& wiring, unsigned column,
                         const RandomizedRouting& routing, sc_core::sc_time clock)
    : sc_module(name), out("out"), wiring_(wiring), column_(column), routing_(routing), clock_(clock),
      winner_(wiring.lines(), none), output_of_(wiring.lines(), none), decide_("decide")
{
    SC_HAS_PROCESS(BenesColumn);
    SC_METHOD(set_switches);
    sensitive << decide_;
    dont_initialize();
}

std::uint32_t BenesColumn::beyond(std::uint32_t output) const
{
    return column_ + 1 == wiring_.columns() ? output : wiring_.enters_next(column_, output);
}

void BenesColumn::request(std::uint32_t line, std::span<const std::uint16_t> tag)
{
    if (requests_.empty())
        decide_.notify(clock_);
    requests_.push_back({line, tag});
}

void BenesColumn::set_switches()
{
    // Each network cycle brings at least one request this far.
    ++network_cycle_;
    const auto weight = [&](const Request& request) {
        return request_weight(routing_.arbitration, routing_.seed, network_cycle_, column_, request.line);
    };
    for (std::uint32_t i = 0; i < requests_.size(); ++i) {
        const Request& request = requests_[i];
        std::uint32_t& winner = winner_[wiring_.leaves(request.line, request.tag.front())];
        if (winner == none || weight(request) < weight(requests_[winner]))
            winner = i;
    }
    for (std::uint32_t i = 0; i < requests_.size(); ++i) {
        const Request& request = requests_[i];
        const std::uint32_t output = wiring_.leaves(request.line, request.tag.front());
        if (winner_[output] != i)
            continue;
        output_of_[request.line] = output;
        ++circuits_;
        out->request(beyond(output), request.tag.subspan(1));
    }
    for (const Request& request : requests_)
        winner_[wiring_.leaves(request.line, request.tag.front())] = none;
    requests_.clear();
}

bool BenesColumn::word(std::uint32_t line, std::uint64_t data)
{
    return output_of_[line] != none && out->word(beyond(output_of_[line]), data);
}

void BenesColumn::release(std::uint32_t line)
{
    if (output_of_[line] == none)
        return;
    out->release(beyond(output_of_[line]));
    output_of_[line] = none;
    --circuits_;
}

BenesTerminals::BenesTerminals(const sc_core::sc_module_name& name, const BenesWiring& wiring,
                               std::span<const std::uint32_t> destination, const RandomizedRouting& routing,
                               std::uint32_t words, sc_core::sc_time clock)
    : sc_module(name), out("out"), wiring_(wiring), routing_(routing), words_(words), clock_(clock),
      destination_(destination.begin(), destination.end()),
      tags_(std::size_t{wiring.lines()} * wiring.columns()), waiting_(wiring.lines()),
      received_(wiring.lines()), run_{std::vector<std::uint32_t>(wiring.lines(), 0)}, next_("next")
{
    if (words == 0)
        throw std::invalid_argument("a message of 0 words: 1 or more");
    check_permutation(destination, wiring.lines());
    std::iota(waiting_.begin(), waiting_.end(), 0U);
    for (const std::uint32_t source : waiting_) {
        draws_.emplace_back(routing.seed, source, routing.randomization);
        write_destination(wiring, destination[source],
                          std::span(tags_).subspan(std::size_t{source} * wiring.columns(), wiring.columns()));
    }
    SC_HAS_PROCESS(BenesTerminals);
    SC_METHOD(act);
    sensitive << next_;
}

void BenesTerminals::act()
{
    if (is_setting_up_)
        send_words();
    else if (!waiting_.empty())
        begin_network_cycle();
}

void BenesTerminals::begin_network_cycle()
{
    ++network_cycle_;
    for (const std::uint32_t source : waiting_) {
        const std::span<std::uint16_t> tag =
            std::span(tags_).subspan(std::size_t{source} * wiring_.columns(), wiring_.columns());
        draws_[source].draw(wiring_, tag.first(wiring_.free_columns()));
        out->request(source, tag);
    }
    is_setting_up_ = true;
    next_word_ = 0;
    connected_ = waiting_;
    // The last column decides in the last of these clock cycles; words follow behind it.
    next_.notify(clock_ * wiring_.columns() + clock_);
}

void BenesTerminals::send_words()
{
    // The first word comes back unacknowledged to a source that is blocked.
    std::erase_if(connected_,
                  [&](std::uint32_t source) { return !out->word(source, content(source, next_word_)); });
    if (++next_word_ < words_) {
        next_.notify(clock_);
        return;
    }
    for (const std::uint32_t source : waiting_)
        out->release(source);
    for (const std::uint32_t source : connected_)
        run_.attempts[source] = network_cycle_;
    std::erase_if(waiting_, [&](std::uint32_t source) { return run_.attempts[source] != 0; });
    is_setting_up_ = false;
    next_.notify(sc_core::SC_ZERO_TIME);
}

std::uint64_t BenesTerminals::content(std::uint32_t source, std::uint32_t word) const
{
    return SplitMix64(routing_.seed ^ (std::uint64_t{source} << 32 | word))();
}

bool BenesTerminals::all_intact() const
{
    for (std::uint32_t source = 0; source < wiring_.lines(); ++source) {
        const std::vector<std::uint64_t>& message = received_[destination_[source]];
        if (message.size() != words_)
            return false;
        for (std::uint32_t word = 0; word < words_; ++word)
            if (message[word] != content(source, word))
                return false;
    }
    return true;
}

void BenesTerminals::request(std::uint32_t, std::span<const std::uint16_t>) {}

bool BenesTerminals::word(std::uint32_t line, std::uint64_t data)
{
    received_[line].push_back(data);
    return true;
}

void BenesTerminals::release(std::uint32_t) {}

BenesNetwork::BenesNetwork(const sc_core::sc_module_name& name, const BenesWiring& wiring,
                           std::span<const std::uint32_t> destination, const RandomizedRouting& routing,
                           std::uint32_t words, sc_core::sc_time clock)
    : sc_module(name), terminals_("terminals", wiring, destination, routing, words, clock)
{
    for (unsigned column = 0; column < wiring.columns(); ++column)
        columns_.push_back(std::make_unique<BenesColumn>(fmt::format("column_{}", column).c_str(), wiring,
                                                         column, routing, clock));
    terminals_.out.bind(*columns_.front());
    for (std::size_t column = 0; column + 1 < columns_.size(); ++column)
        columns_[column]->out.bind(*columns_[column + 1]);
    columns_.back()->out.bind(terminals_);
}

} // namespace nocturne
