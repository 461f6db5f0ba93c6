#include "models/routing/distances.hpp"
#include "schedules/satisfiability/encoders.hpp"

#include <algorithm>
#include <utility>

namespace nocturne {
namespace {

class DirectEncoder {
public:
    DirectEncoder(const Problem& problem, unsigned steps, EncodingPlan plan)
        : problem_(problem), topology_(problem.topology), steps_(steps), plan_(std::move(plan))
    {
    }

    Formula encode();
    std::vector<TimedTransfer> transfers(const Model& model) const;
    std::vector<Literal> phases(std::span<const TimedTransfer> transfers) const;

private:
    using Messages = std::vector<MessageId>;

    /// What the message may use in a step, and which variable says that it does.
    struct Use {
        std::uint32_t what; ///< a path or a channel
        Literal literal;
    };

    auto messages() const { return problem_.collective.messages(); }
    Literal& sent(MessageId message, unsigned step) { return sent_[message * steps_ + step]; }
    Literal sent(MessageId message, unsigned step) const { return sent_[message * steps_ + step]; }
    std::vector<Use>& uses(MessageId message, unsigned step) { return uses_[message * steps_ + step]; }
    const std::vector<Use>& uses(MessageId message, unsigned step) const
    {
        return uses_[message * steps_ + step];
    }

    void add_sending_once();
    void add_paths();
    void add_flows();
    void add_flow(MessageId message, unsigned step);
    void add_channel_capacities();
    void add_ports();
    void add_ports(const std::vector<Messages>& by_processor,
                   unsigned (*ports)(const Topology&, ProcessorId, PortModel));
    void number_the_steps();
    Messages most_contended_messages() const;
    std::vector<unsigned> numbered_steps(std::span<const TimedTransfer> transfers) const;
    Path path_of(MessageId message, unsigned step, const Model& model) const;

    const Problem& problem_;
    const Topology& topology_;
    unsigned steps_;
    EncodingPlan plan_;
    Formula formula_;
    std::vector<Literal> sent_;          ///< by message and step
    std::vector<std::vector<Use>> uses_; ///< by message and step
};

Formula DirectEncoder::encode()
{
    add_sending_once();
    if (plan_.has_flows)
        add_flows();
    else
        add_paths();
    add_channel_capacities();
    add_ports();
    number_the_steps();
    return std::move(formula_);
}

void DirectEncoder::add_sending_once()
{
    sent_.resize(messages().size() * steps_);
    uses_.resize(sent_.size());
    for (MessageId message = 0; message < messages().size(); ++message) {
        const auto in_steps = std::span(sent_).subspan(message * steps_, steps_);
        for (Literal& literal : in_steps)
            literal = formula_.add_variable();
        formula_.add_clause(in_steps);
        add_at_most(formula_, 1, in_steps);
    }
}

void DirectEncoder::add_paths()
{
    for (MessageId message = 0; message < messages().size(); ++message)
        for (unsigned step = 0; step < steps_; ++step) {
            std::vector<Literal> any_path;
            for (std::uint32_t candidate = plan_.paths.first[message];
                 candidate < plan_.paths.first[message + 1]; ++candidate) {
                const Literal literal = formula_.add_variable();
                uses(message, step).push_back({candidate, literal});
                any_path.push_back(literal);
                formula_.add_clause({-literal, sent(message, step)});
            }
            add_implication(formula_, sent(message, step), any_path);
        }
}

void DirectEncoder::add_flows()
{
    ChannelsOfMessages channels_of(problem_);
    for (MessageId message = 0; message < messages().size(); ++message) {
        const std::vector<ChannelId> channels = channels_of(messages()[message]);
        for (unsigned step = 0; step < steps_; ++step) {
            for (const ChannelId channel : channels) {
                const Literal literal = formula_.add_variable();
                uses(message, step).push_back({channel, literal});
                formula_.add_clause({-literal, sent(message, step)});
            }
            add_flow(message, step);
        }
    }
}

/// If the message is sent, one channel leads out of the source's router, one into the destination's, and at
/// every router in between as many in as out: none or one.
void DirectEncoder::add_flow(MessageId message, unsigned step)
{
    const auto [source, destination] = ends_of(messages()[message]);
    const Endpoints ends = endpoints(topology_, source, destination);
    if (ends.source == ends.destination)
        return;
    std::vector<std::vector<Literal>> in(topology_.router_count());
    std::vector<std::vector<Literal>> out(topology_.router_count());
    for (const auto [channel, literal] : uses(message, step)) {
        out[topology_.channel(channel).source].push_back(literal);
        in[topology_.channel(channel).target].push_back(literal);
    }
    for (RouterId router = 0; router < topology_.router_count(); ++router) {
        add_at_most(formula_, 1, in[router]);
        add_at_most(formula_, 1, out[router]);
        if (router != ends.destination)
            for (const Literal literal : in[router])
                add_implication(formula_, literal, out[router]);
        if (router != ends.source)
            for (const Literal literal : out[router])
                add_implication(formula_, literal, in[router]);
    }
    add_implication(formula_, sent(message, step), out[ends.source]);
    add_implication(formula_, sent(message, step), in[ends.destination]);
}

void DirectEncoder::add_channel_capacities()
{
    std::vector<std::vector<Literal>> users(topology_.channel_count());
    for (unsigned step = 0; step < steps_; ++step) {
        for (MessageId message = 0; message < messages().size(); ++message)
            for (const auto [what, literal] : uses(message, step)) {
                if (plan_.has_flows)
                    users[what].push_back(literal);
                else
                    for (const ChannelId channel : plan_.paths.all[what].path)
                        users[channel].push_back(literal);
            }
        for (std::vector<Literal>& literals : users) {
            add_at_most(formula_, 1, literals);
            literals.clear();
        }
    }
}

void DirectEncoder::add_ports()
{
    std::vector<Messages> sends(topology_.processor_count());
    std::vector<Messages> receives(topology_.processor_count());
    for (MessageId message = 0; message < messages().size(); ++message) {
        sends[ends_of(messages()[message]).source].push_back(message);
        receives[ends_of(messages()[message]).destination].push_back(message);
    }
    add_ports(sends, send_ports);
    add_ports(receives, receive_ports);
}

void DirectEncoder::add_ports(const std::vector<Messages>& by_processor,
                              unsigned (*ports)(const Topology&, ProcessorId, PortModel))
{
    const auto stays_at_router = [&](MessageId message) {
        const auto [source, destination] = ends_of(messages()[message]);
        return topology_.processor(source).injection == topology_.processor(destination).ejection;
    };
    for (ProcessorId processor = 0; processor < by_processor.size(); ++processor) {
        const Messages& mine = by_processor[processor];
        // All-port: the channels of its router limit a processor as well.
        if (problem_.ports.is_all_port() && std::none_of(mine.begin(), mine.end(), stays_at_router))
            continue;
        for (unsigned step = 0; step < steps_; ++step) {
            std::vector<Literal> literals;
            for (const MessageId message : mine)
                literals.push_back(sent(message, step));
            add_at_most(formula_, ports(topology_, processor, problem_.ports), literals);
        }
    }
}

/// The messages of the processor that has most to send or to receive for its ports.
DirectEncoder::Messages DirectEncoder::most_contended_messages() const
{
    Messages most;
    double load = 0;
    const auto consider = [&](Messages mine, unsigned ports) {
        if (const double its = static_cast<double>(mine.size()) / ports; its > load) {
            most = std::move(mine);
            load = its;
        }
    };
    for (ProcessorId processor = 0; processor < topology_.processor_count(); ++processor) {
        Messages sends;
        Messages receives;
        for (MessageId message = 0; message < messages().size(); ++message) {
            if (ends_of(messages()[message]).source == processor)
                sends.push_back(message);
            if (ends_of(messages()[message]).destination == processor)
                receives.push_back(message);
        }
        consider(std::move(sends), send_ports(topology_, processor, problem_.ports));
        consider(std::move(receives), receive_ports(topology_, processor, problem_.ports));
    }
    return most;
}

/// Steps can be exchanged. They are numbered in the order in which a sequence of messages first uses them: a
/// message is in a step only if one before it in the sequence is in the step before.
void DirectEncoder::number_the_steps()
{
    const Messages sequence = most_contended_messages();
    for (std::size_t i = 0; i < sequence.size(); ++i)
        for (unsigned step = 1; step < steps_; ++step) {
            std::vector<Literal> earlier;
            for (std::size_t j = step - 1; j < i; ++j)
                earlier.push_back(sent(sequence[j], step - 1));
            add_implication(formula_, sent(sequence[i], step), earlier);
        }
}

Path DirectEncoder::path_of(MessageId message, unsigned step, const Model& model) const
{
    const auto& candidates = uses(message, step);
    if (!plan_.has_flows) {
        const auto used = std::find_if(candidates.begin(), candidates.end(),
                                       [&](Use use) { return holds(model, use.literal); });
        return plan_.paths.all[used->what].path;
    }
    const auto [source, destination] = ends_of(messages()[message]);
    const Endpoints ends = endpoints(topology_, source, destination);
    Path path;
    for (RouterId at = ends.source; at != ends.destination; at = topology_.channel(path.back()).target)
        path.push_back(std::find_if(candidates.begin(), candidates.end(), [&](Use use) {
                           return topology_.channel(use.what).source == at && holds(model, use.literal);
                       })->what);
    return path;
}

std::vector<TimedTransfer> DirectEncoder::transfers(const Model& model) const
{
    std::vector<TimedTransfer> transfers;
    for (MessageId message = 0; message < messages().size(); ++message)
        for (unsigned step = 0; step < steps_; ++step)
            if (holds(model, sent(message, step))) {
                const auto [source, destination] = ends_of(messages()[message]);
                transfers.push_back({step, message, source, destination, path_of(message, step, model)});
            }
    return transfers;
}

/// What number_the_steps() makes of the steps of the transfers: in the order in which the sequence first uses
/// them.
std::vector<unsigned> DirectEncoder::numbered_steps(std::span<const TimedTransfer> transfers) const
{
    constexpr unsigned unknown = ~0U;
    std::vector<unsigned> step_of(messages().size(), unknown);
    for (const TimedTransfer& transfer : transfers)
        step_of[transfer.message] = transfer.step;
    std::vector<unsigned> number(steps_, unknown);
    unsigned next = 0;
    for (const MessageId message : most_contended_messages())
        if (step_of[message] != unknown && number[step_of[message]] == unknown)
            number[step_of[message]] = next++;
    for (unsigned& its : number)
        if (its == unknown)
            its = next++;
    return number;
}

std::vector<Literal> DirectEncoder::phases(std::span<const TimedTransfer> transfers) const
{
    std::vector<TimedTransfer> straight;
    for (const TimedTransfer& transfer : transfers) {
        const auto [source, destination] = ends_of(messages()[transfer.message]);
        if (transfer.step < steps_ && transfer.source == source && transfer.destination == destination)
            straight.push_back(transfer);
    }
    const std::vector<unsigned> number = numbered_steps(straight);
    std::vector<Literal> literals;
    for (const TimedTransfer& transfer : straight) {
        literals.push_back(sent(transfer.message, number[transfer.step]));
        for (const auto [what, literal] : uses(transfer.message, number[transfer.step]))
            if (plan_.has_flows
                    ? std::find(transfer.path.begin(), transfer.path.end(), what) != transfer.path.end()
                    : plan_.paths.all[what].path == transfer.path)
                literals.push_back(literal);
    }
    return literals;
}

} // namespace

Encoding encode_direct(const Problem& problem, unsigned steps, EncodingPlan plan)
{
    return encoding_by<DirectEncoder>(problem, steps, std::move(plan));
}

} // namespace nocturne
