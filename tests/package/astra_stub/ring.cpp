// A system layer that does nothing but an all-gather on a ring, in the place of ASTRA-sim's: each rank
// computes for a while, sends what it has last received, and goes on when the next has come.
//
//   ring flit|worm
#include "astra_backend/backend.hpp"
#include "models/topology/make_topology.hpp"

#include <systemc>

#include <cstdio>
#include <memory>
#include <vector>

namespace {

constexpr int ranks = 8;
constexpr std::uint64_t bytes = 4096;
constexpr double computes_ns = 500;

struct Rank {
    AstraNetwork* network;
    int number;
    int received = 0;
    double ended_ns = 0;

    void send()
    {
        network->sim_send(nullptr, bytes, 0, (number + 1) % ranks, received, nullptr, nullptr, nullptr);
    }
    static void begin(void* self)
    {
        Rank& rank = *static_cast<Rank*>(self);
        rank.send();
        rank.await();
    }
    void await()
    {
        network->sim_recv(nullptr, bytes, 0, (number + ranks - 1) % ranks, received, nullptr, &Rank::go_on,
                          this);
    }
    static void go_on(void* self)
    {
        Rank& rank = *static_cast<Rank*>(self);
        rank.ended_ns = static_cast<double>(rank.network->sim_get_time().time_val);
        if (++rank.received == ranks - 1)
            return;
        rank.send();
        rank.await();
    }
};

} // namespace

int sc_main(int count, char** arguments)
{
    NocturneNetwork shared(nocturne::make_topology("ring:8"), {},
                           nocturne::parse_model(count > 1 ? arguments[1] : "worm"));
    std::vector<std::unique_ptr<AstraNetwork>> networks;
    std::vector<Rank> all;
    for (int i = 0; i < ranks; ++i) {
        networks.push_back(std::make_unique<AstraNetwork>(i, shared));
        all.push_back({networks.back().get(), i});
    }
    for (Rank& rank : all)
        rank.network->sim_schedule({AstraSim::NS, computes_ns}, &Rank::begin, &rank);
    shared.run();
    double last = 0;
    for (const Rank& rank : all) {
        if (rank.received != ranks - 1)
            return 1;
        last = std::max(last, rank.ended_ns);
    }
    // Seven times 1,024 flits of 2 ns, and some cycles of routers each time.
    const double least = computes_ns + (ranks - 1) * bytes / 4 * 2.0;
    std::printf("%g ns, at least %g, %zu left\n", last, least, shared.in_flight());
    return last >= least && last <= least * 1.02 && shared.in_flight() == 0 ? 0 : 1;
}
