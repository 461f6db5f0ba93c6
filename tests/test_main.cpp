// Compiled once and linked into every test executable: Catch2's main is the slowest file of the suite.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NOCTURNE_HAS_FIBERS
#endif
#endif

#ifdef NOCTURNE_HAS_FIBERS
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>

namespace {

/// SystemC tells the sanitizer when it leaves one stack for another, but not that of a thread that ends by an
/// exception: the search for leaks would take that one for the program's, and read its guard page.
void return_to_own_stack()
{
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return;
    void* bottom = nullptr;
    std::size_t bytes = 0;
    if (pthread_attr_getstack(&attributes, &bottom, &bytes) == 0) {
        void* fake_stack = nullptr;
        __sanitizer_start_switch_fiber(&fake_stack, bottom, bytes);
        __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
    }
    pthread_attr_destroy(&attributes);
}

} // namespace
#endif

int main(int argc, char* argv[])
{
    const int status = Catch::Session().run(argc, argv);
#ifdef NOCTURNE_HAS_FIBERS
    return_to_own_stack();
#endif
    return status;
}
