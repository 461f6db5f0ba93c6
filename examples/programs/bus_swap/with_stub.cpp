// Two processors and two memories on a bus without timing.
#include "bus_stub.hpp"
#include "parts.hpp"

int sc_main(int, char**)
{
    Processor cpu0("cpu0", 0x10000000);
    Processor cpu1("cpu1", 0x20000000);
    Memory ram0("ram0");
    Memory ram1("ram1");
    BusStub bus("bus");

    cpu0.socket.bind(bus.target_socket[0]);
    cpu1.socket.bind(bus.target_socket[1]);
    bus.initiator_socket[0].bind(ram0.socket);
    bus.initiator_socket[1].bind(ram1.socket);

    sc_core::sc_start();
    return 0;
}
