// Compiled once and linked into every test executable: Catch2's main is the slowest file of the suite.
#define CATCH_CONFIG_RUNNER
#include "tests/catch.hpp"

#include <cstddef>
#include <cstdlib>
#include <pthread.h>

// Of the address sanitizer, where it is linked (sanitizer/common_interface_defs.h).
extern "C" {
__attribute__((weak)) void __sanitizer_start_switch_fiber(void** fake_stack, const void* bottom,
                                                          std::size_t size);
__attribute__((weak)) void __sanitizer_finish_switch_fiber(void* fake_stack, const void** bottom,
                                                           std::size_t* size);
}

namespace {

/// SystemC tells the sanitizer when it leaves one stack for another, but not that of a thread that ends by an
/// exception: the search for leaks would take that one for the program's, and read its guard page.
void return_to_own_stack()
{
    pthread_attr_t attributes;
    if (__sanitizer_start_switch_fiber == nullptr || pthread_getattr_np(pthread_self(), &attributes) != 0)
        return;
    void* bottom = nullptr;
    std::size_t size = 0;
    if (pthread_attr_getstack(&attributes, &bottom, &size) == 0) {
        void* fake_stack = nullptr;
        __sanitizer_start_switch_fiber(&fake_stack, bottom, size);
        __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
    }
    pthread_attr_destroy(&attributes);
}

} // namespace

int main(int argc, char* argv[])
{
    // What a command says of its progress depends on how busy the machine is.
    setenv("NOCTURNE_PROGRESS", "terminal", 0);
    const int status = Catch::Session().run(argc, argv);
    return_to_own_stack();
    return status;
}
