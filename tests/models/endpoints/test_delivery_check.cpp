#include "models/endpoints/delivery_check.hpp"
#include "tests/catch.hpp"

namespace nocturne::delivery_check_test {

namespace {

NetworkMessage packet(ProcessorId source, ProcessorId destination, std::uint32_t number)
{
    NetworkMessage made;
    made.source = source;
    made.destination = destination;
    made.number = number;
    made.flits = 4;
    made.came = 4;
    return made;
}

} // namespace

TEST_CASE("packets that arrive once, whole and in order are right", "[endpoints][delivery]")
{
    DeliveryCheck check(true);
    for (const NetworkMessage& each : {packet(0, 1, 0), packet(0, 2, 1), packet(0, 1, 2), packet(3, 1, 0)})
        check.message_created(each);
    CHECK(check.final_error() == "4 packets were created and 0 delivered");
    // Those of different pairs may overtake each other.
    for (const NetworkMessage& each : {packet(3, 1, 0), packet(0, 1, 0), packet(0, 1, 2), packet(0, 2, 1)})
        check.message_delivered(each, each.destination);
    CHECK(check.error().empty());
    CHECK(check.final_error().empty());
    CHECK(check.created() == 4);
    CHECK(check.delivered() == 4);
}

TEST_CASE("each thing that can go wrong with a packet is named", "[endpoints][delivery]")
{
    DeliveryCheck check(true);
    DeliveryCheck any_order(false);
    for (DeliveryCheck* each : {&check, &any_order}) {
        each->message_created(packet(0, 1, 0));
        each->message_created(packet(0, 1, 1));
    }
    SECTION("wrong order")
    {
        for (DeliveryCheck* each : {&check, &any_order}) {
            each->message_delivered(packet(0, 1, 1), 1);
            each->message_delivered(packet(0, 1, 0), 1);
        }
        CHECK(check.error() == "packet 0 of processor 0, of 4 flits to processor 1: came after a later one");
        CHECK(any_order.final_error().empty());
    }
    SECTION("twice, and another one never: the counts are right")
    {
        any_order.message_delivered(packet(0, 1, 1), 1);
        any_order.message_delivered(packet(0, 1, 1), 1);
        CHECK(any_order.final_error() == "a packet was delivered twice, and another one never");
    }
    SECTION("twice, and nothing else is under way between the two")
    {
        for (const std::uint32_t number : {0u, 1u, 1u})
            check.message_delivered(packet(0, 1, number), 1);
        CHECK(check.error() ==
              "packet 1 of processor 0, of 4 flits to processor 1: came once more than it was sent");
    }
    SECTION("somewhere else")
    {
        check.message_delivered(packet(0, 1, 0), 2);
        CHECK(check.error() == "packet 0 of processor 0, of 4 flits to processor 1: came to processor 2");
    }
    SECTION("not whole")
    {
        NetworkMessage torn = packet(0, 1, 0);
        torn.came = 3;
        check.message_delivered(torn, 1);
        CHECK(check.error() == "packet 0 of processor 0, of 4 flits to processor 1: 3 flits in their order");
    }
}

} // namespace nocturne::delivery_check_test
