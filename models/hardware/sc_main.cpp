// SystemC's library brings a main() that calls sc_main(). Programs with a main() of their own never get here,
// but must link; those that define sc_main() themselves override this one.
#include <systemc>

__attribute__((weak)) int sc_main(int /*argc*/, char* /*argv*/[])
{
    return 1;
}
