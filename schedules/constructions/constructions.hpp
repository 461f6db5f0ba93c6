// Constructions: schedules with a proof that they are right, made without a search.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace nocturne {

/// One way to construct schedules. It applies to some problems only, and reads off the channels whether it
/// does: names and shapes prove nothing, as networks have faults.
struct Construction {
    std::string_view name;
    /// A valid schedule, or nothing if the construction does not apply. The problem passes check().
    std::optional<Schedule> (*construct)(const Problem& problem);
};

/// All of them.
std::span<const Construction> constructions();

/// The schedule with the fewest steps among those of all constructions, the first of equals; nothing if none
/// applies. First fit, which takes longer than all others together, comes last, and not at all if the best of
/// the others `is_shortest`.
std::optional<Schedule>
best_construction(const Problem& problem,
                  const std::function<bool(const Schedule& schedule)>& is_shortest = {});

// Broadcasts of all.

/// AAB on a network that looks the same from every router (ring, torus, hypercube, octagon, complete graph,
/// circulant). A broadcast tree from one router uses, in each step, each generator at most once, over one
/// hop; translated to all sources, the trees then use each channel at most once, and every processor sends
/// and receives as many messages as the tree has edges in the step. The tree grows greedily: in each step a
/// largest set of routers that can be informed over different generators, the nearest first, with random
/// choices among equals in up to 20 attempts. If an attempt is full until the last step, it takes
/// ceil((N-1)/min(degree, ports)) steps, which is optimal, as no processor can receive more. This was so for
/// every torus, ring, octagon, complete graph and (folded) hypercube tried, with every number of ports: 1112
/// problems of up to 512 processors, and the torus of 32x32.
///
/// Works for every switching and slack. Nothing for other collectives, or if find_cayley_graph() finds none.
/// Source: Johnsson and Ho, Optimum broadcasting and personalized communication in hypercubes, IEEE
/// Transactions on Computers 38(9), 1989 (translation of trees by exclusive or).
std::optional<Schedule> translated_tree(const Problem& problem);

/// AAB in ceil((N-1)/2) steps through two ports, N-1 through one: the routers of the processors lie on a
/// cycle, and everybody passes on what arrived in the last step, in both directions at once if all its links
/// are bidirectional. Every transfer is one hop at most, so that switching and slack do not limit paths. MNB
/// likewise among senders and receivers. As no processor can receive more than its ports, or channels, allow,
/// this is optimal where some processor has two of them: in the corner of a mesh.
///
/// Nothing for other collectives, if a participant injects and is ejected at different routers, or if no
/// cycle through exactly their routers is found, or if it would relay where a slack forbids it. Source: Saad
/// and Schultz, Data communication in parallel architectures, Parallel Computing 11(2), 1989 (rings).
std::optional<Schedule> hamiltonian_ring(const Problem& problem);

/// AAB in N-1 steps with one port, or MNB among n processors (senders and receivers together) in at most n-1.
/// A walk round a tree that spans them visits all and uses each direction of each link of the tree once: cut
/// at the first visits, it is a ring of channel-disjoint paths, round which everybody passes on what arrived.
/// As no processor can receive more than one message a step this is optimal for one-port AAB, and for
/// all-port where some processor has one channel only.
///
/// Nothing for other collectives, if a participant injects and is ejected at different routers, if
/// bidirectional links do not join the participants, or if a path is too long for the problem's slack or
/// switching, or would relay where the slack forbids it. Source: the Euler tour technique (Tarjan and
/// Vishkin, An efficient parallel biconnectivity algorithm, SIAM Journal on Computing 14(4), 1985).
std::optional<Schedule> euler_tour_ring(const Problem& problem);

// Scatters of all.

/// AAS on a ring of n processors in n^2/8 steps, n a multiple of 4, through two ports and over minimal paths.
/// That is optimal: no step has room for more hops.
///
/// Clockwise, the chain a -> b -> a+n/2 -> b+n/2 -> a (a, b different modulo n/2) uses each channel once.
/// Chains without common nodes form tuples of n/4, and a round robin of n/2 classes gives n/2-1 tuples that
/// hold each pair of classes once. One more tuple holds what is left: chains a -> a+n/2, a+n/2 -> a, b -> b,
/// b+n/2 -> b+n/2 for a in the first quarter of the nodes and b in the second. Its mirror images,
/// counter-clockwise, exchange the quarters: both directions together hold each ordered pair of nodes, equal
/// ones included, once. A step takes one chain of each direction.
std::optional<Schedule> ring_phases(const Problem& problem);

/// AAS on a torus of N processors in two or more dimensions, each a multiple of 4 and the longest n, in N*n/8
/// steps, through two ports and over minimal paths: 8x8 in 64, 16x16 in 512, 8x8x8 in 512. That is optimal:
/// along the longest dimension no step has room for more hops.
///
/// In two dimensions a phase takes a tuple R of chains along the rows and a tuple C along the columns,
/// and all
/// products of chain R_i and chain C_(i+k): a message from (x1, y1) goes along its row to x2, then along that
/// column to y2, for each of the four messages x1 -> x2 and y1 -> y2. Rows where they begin and columns where
/// they end are different for different i, so that each channel of these two directions is used once. A step
/// is two phases in opposite directions, in rows and in columns.
///
/// In more dimensions the messages of a product travel along a line whose place in every other dimension is a
/// node of that dimension's chain. So no channel is used twice if the chains of all dimensions but one
/// determine that of the last, whichever it is: the index of the longest dimension's chain is the sum of all
/// others and of k, modulo their number (a Latin square, for three equal sides).
///
/// Both: nothing for other collectives, one port or store-and-forward switching, and if a router has not one
/// processor or misses a channel. Messages of a processor to itself are left out. Source: Hinrichs, Kosak,
/// O'Hallaron, Stricker and Take, An architecture for optimal all-to-all personalized communication, SPAA
/// 1994, for two dimensions.
std::optional<Schedule> torus_phases(const Problem& problem);

/// What torus_phases() of the whole torus leaves of itself where channels are missing, for an engine to begin
/// with: its steps without the transfers over a missing channel. In each phase messages travel in the order
/// of dimensions, last or first one first, for which these transfers begin and end further from that channel:
/// so they can be sent around it without all leaving one row, or all arriving there. Nothing if the grid is
/// no torus, no channel is missing, or the whole one has no phases.
std::optional<Schedule> surviving_torus_phases(const Problem& problem);

/// AAS on a torus of two or three dimensions with N processors and all sides n = 2h, h odd and at least 3, in
/// N*n/8 steps, through one port more than there are dimensions and over minimal paths: 6x6 in 27, 10x10 in
/// 125, 6x6x6 in 162, 10x10x10 in 1250. That is optimal, as no step has room for more hops. (torus_phases()
/// needs an even h.)
///
/// Opposite nodes of a ring are a class. The moves along the ring are
/// - chains, one for each pair of classes and each direction: four moves once around the ring, through all
///   four nodes. They hold all moves of 1 to h-1 hops.
/// - for each class the two moves to the opposite node, once around the ring together, in the direction that
///   is asked for: the crossing, X.
/// - for each class the two moves that stay: the rest, "."
/// Seen from a class c, the chains x_i of classes c+i and c-i, i = 1 to q = (h-1)/2, and its own crossing and
/// rest touch every class once. So over all c every chain, crossing and rest is there once. A product of
/// them, one for each dimension, keeps whole rings busy: along a dimension whose pattern is not a rest, those
/// through the classes of its patterns in the other dimensions. The schedule is the same for each choice of
/// one class in each dimension:
///
/// Two dimensions, h steps. (1) q+1 steps hold products of q+1 chains and crossings, once in directions ++
/// and once in --, by a Latin square of order q+1. XX would come twice; X. and .X take the place of one. (2)
/// q steps hold products of q chains in +- and -+, by a Latin square of order q, and x. and .x on the rings
/// of the two classes in the centre.
///
/// Three dimensions, 2h steps. (1) q+1 steps hold products of q+1 chains and crossings in +++ and ---, by a
/// Latin square of order q+1. XXX is needed once; X.., .X. and ..X take the place of the other.
/// (2) q+1 steps hold the same in +-- and -++, but Xyz with y and z in unlike directions. So (1) and (2) hold
/// each xyX, xXz and Xyz once. What has two crossings has been in (1): in its place are x.., .x., ..x and
/// some xx., x.x, .xx of chains i and i, in the place of XXX are XX., X.X, .XX.
/// (3) 2q steps hold the remaining xyz, by a Latin square of order q, and on the rings of classes in the
/// centre the remaining xx. by a Latin square of order 2q, rows and columns being chains in both directions.
/// Where its diagonal would be, they hold xX. and Xx. instead; with x.x and .xx in the same way.
///
/// Nothing for other collectives, fewer ports or store-and-forward switching, and if a router has not one
/// processor or misses a channel. Messages of a processor to itself are left out.
std::optional<Schedule> odd_torus_phases(const Problem& problem);

/// AAS on a mesh of N processors with even sides, the longest n at least 4, through one port and over minimal
/// paths: in N*n/4 steps, if n is a multiple of 4 or all other sides are shorter: 16x16 in 1024, 32x32 in
/// 8192, 8x16 in 512. That is optimal: half of the messages have to cross the middle of the longest side.
/// Other squares take N*(n+1)/4 steps.
///
/// For a line of n = 2h nodes the n^2 moves from node to node, those that stay included, are coloured with n
/// colours: that of a -> b is
///     f(a) - f(b) + h*max(f(a), f(b)) + (h if a and b are in different halves), modulo n,
/// where f(a) = min(a, n-1-a) folds the line. A colour holds one move from each node and one to each: it is a
/// symbol of a Latin square. It crosses the middle w times each way, w = h/2, or w = (h-1)/2 or (h+1)/2 if h
/// is odd, and no other channel more often: of the h-w moves of a colour within a half at most e have
/// max(f(a), f(b)) >= h-e, as those for which it is equal have different colours. So of the first k nodes of
/// the half at least k-w send to one another, and no more than w out. Moves one way are then w patterns of
/// moves without common channels (intervals are a perfect graph). For one colour of each dimension all
/// products of patterns take as many steps as the colour with the most patterns has.
///
/// Nothing for other collectives or store-and-forward switching, for odd sides, and if a router has not one
/// processor or misses a channel. Messages of a processor to itself are left out. That a^3/4 phases are
/// optimal for a x a meshes, a a multiple of 4, is from Scott, Efficient all-to-all communication patterns in
/// hypercube and mesh topologies, DMCC 1991.
std::optional<Schedule> mesh_phases(const Problem& problem);

/// AAS on a balanced dragonfly, through one port, in N-1 steps, which is optimal with one port: 72 processors
/// in 71, 342 in 341, 1056 in 1055. Its groups are 2h routers, each with h processors, a channel to every
/// other one of the group, and channels to h other groups; of 2h^2+1 groups any two are joined by one channel
/// each way. Which routers have these channels does not matter.
///
/// 4h^4 steps hold what goes to other groups, over one global channel and at most one channel of the group
/// before and after it. In every step each group has a bit. The channel from router number r of a group to r'
/// carries messages that leave the group if r + r' + bit is even, otherwise those that arrive. So every
/// global channel carries a message in every step, and what is left is to find the processors:
/// - The bits are columns of a Hadamard matrix: of two groups each pair of bits is there in h^4 steps.
/// - For each group and bit, the processors that messages leave are an edge colouring of steps and (group to
///   which, bit of that group): each processor comes h^2 times for each of these pairs.
/// - For each group and bit, the processors at which messages arrive are an edge colouring of steps and
///   (processor from which): of the h^2 processors that a bit leads to each comes once for every other one.
/// Both are coloured by routers first, and then by processors of a router. As a vertex may be split into ones
/// with h edges, h colours always suffice.
///
/// 2h^2-1 steps hold what stays in its group. The h(h-1) pairs (m, n) with m+n != 0 modulo h give two steps
/// each: processor k-m of router r sends to processor k+n of router r + d, d = 1 + k in one step and h+1 + k
/// in the other. In 2h-1 more steps processor i of r sends to processor i of r + 1 + (i + t) modulo (2h-1).
///
/// Nothing for other collectives and store-and-forward switching, where the slack forbids such paths, for
/// other networks, those with routers that are not numbered group by group included, and if
/// hadamard_matrix() knows no order above the number of groups that divides 4h^4.
std::optional<Schedule> dragonfly_rounds(const Problem& problem);

/// The least number of steps in which channels and the root's ports let all messages of a scatter from one
/// processor (OAS, MNS with one sender), or a gather to one (AOG, AOR, MNS with one receiver), through: the
/// least S for which a flow brings one unit to each receiver if every channel takes S, the source sends S
/// times its ports, and a processor that injects at another router than it is ejected to passes on S times
/// its ports (under a slack it does not). No schedule has fewer, for any switching: what has to pass the
/// minimal cut takes S steps. Nothing for other collectives.
std::optional<unsigned> fewest_scatter_steps(const Problem& problem);

/// Such a scatter or gather, in the fewest steps in which that can be done without relays, which is
/// fewest_scatter_steps() wherever processors inject at the router that they are ejected to; over paths as
/// short as possible in all. With a slack, if some of these are too long: over minimal paths only, in the
/// fewest steps in which that can be done. Nothing for other collectives, if some message has no way without
/// a relay, or if paths are too long for the switching.
///
/// The sets of receivers that one step can serve are the independent sets of a gammoid, so that S of them
/// cover all receivers if the flow above exists (matroid partition); and S steps fall into two parts of S/2
/// steps in the same way. So a flow through two copies of the network, one for either part, says which
/// receivers each serves, down to single steps, where each channel takes one message and the flow is the
/// paths. The channels of minimal paths are a network like any other. Sources: Edmonds, Minimum partition of
/// a matroid into independent subsets, 1965; Perfect, Applications of Menger's graph theorem, 1968
/// (gammoids).
std::optional<Schedule> one_to_all_scatter(const Problem& problem);

/// AAS under store-and-forward switching on a network that looks the same from every router (ring, torus,
/// hypercube, octagon, circulant), through as many ports as a router has channels. What all sources send to
/// the receiver that lies d behind them takes the same hops in the same steps: if that is one hop over each
/// generator in each step, every channel carries one message. As the group is Abelian, the hops of a path may
/// come in any order, and only how often each generator is in it counts. Paths are shortest ones, chosen such
/// that the fullest generator is as empty as it can be; then each step has, for each generator, the fullest
/// first, one hop of the message with the longest way to go that still needs it.
///
/// Where d is its own inverse (the far side of a ring) half of the sources go the one way round, and half,
/// by the parity of a coordinate, the other way, if that takes fewer steps.
///
/// The steps are those that the channels need, N^2/8 on a ring, N n/8 on a torus of sides n, N/2 on a
/// hypercube, on all of these that were tried, up to 512 processors. Nothing for other collectives, other
/// switching, fewer ports, more than 2^22 transfers, or if find_cayley_graph() finds none.
std::optional<Schedule> translated_scatter(const Problem& problem);

// Several collectives.

/// AAS or AAB in N-1 rounds: in round k everybody sends straight to the processor whose index is its own with
/// k exclusive-or (N a power of two), or else plus k modulo N. The routing is the network's own: the control
/// tag of a multistage network (free columns by digits of the source), dimension order on a grid, otherwise a
/// first minimal path. All rounds must be free of conflicts: the exclusive-or ones are on Omega, Butterfly
/// and Benes networks and hypercubes, cyclic shifts on Omega, Clos networks, stars and complete graphs. With
/// one port that is optimal: N-1 steps.
///
/// With more ports for an AAS, rounds that share no channel become one step, longest paths first, each into
/// the first step with room. On a hypercube e-cube paths of k use each channel of the dimensions in which k
/// has a 1 once, so that exactly complementary rounds meet: N/2 steps through two ports, which is optimal for
/// all. On a complete graph it is one step.
///
/// Nothing for other collectives, if rounds of both kinds conflict, if paths are too long for the problem's
/// slack or switching, or if enumerating first minimal paths would take more than about a second. Sources:
/// Lawrie, Access and alignment of data in an array processor, IEEE Transactions on Computers C-24(12), 1975;
/// Ho and Johnsson, Distributed routing algorithms for broadcasting and personalized communication in
/// hypercubes, ICPP 1986.
std::optional<Schedule> permutation_rounds(const Problem& problem);

/// Every collective, sent straight from origins to receivers, in as many steps as the most that one processor
/// sends or receives in all, on a rearrangeable network: AAS and AAB on Clos (at least as many middle
/// switches as processors on a switch), Benes, fat trees and stars take N-1 steps, a permutation one. That is
/// optimal with one port for everything but one-to-all and many-to-many broadcasts.
///
/// Edge colouring twice (König): origins and receivers joined by what they exchange, a colour is a step, in
/// which nobody sends or receives two messages. Then, in each step, the outermost switches joined by their
/// messages: a colour is one of the parts into which the network falls without them, each joined to every
/// outermost switch. No switch has two messages for one part, and each part has a smaller problem of the same
/// form, down to single switches. Messages between processors of one switch turn round there, so that the
/// paths of fat trees are minimal. All of this is read off the channels: faults that leave enough whole parts
/// do no harm.
///
/// Nothing if the network does not fall apart in this way, or if a path is too long for the switching.
/// Sources: Slepian, Two theorems on a particular crossbar switching network, 1952; Benes, Mathematical
/// Theory of Connecting Networks and Telephone Traffic, Academic Press 1965; Petrini and Vanneschi, k-ary
/// n-trees, IPPS 1997.
std::optional<Schedule> rearrangeable_network(const Problem& problem);

/// Scatters of any kind (each message has one receiver) under wormhole switching, on every network and for
/// every port model: messages go straight over minimal paths, or where there is none over as few relays as
/// can be, those with the longest way first; of a few paths each transfer takes the one on which a step is
/// free earliest. Nothing is promised of the number of steps, but where nothing better is known a search can
/// begin below it. Nothing for other problems, and for more than 2^21 messages, whose paths would not fit
/// into memory.
std::optional<Schedule> first_fit(const Problem& problem);

} // namespace nocturne
