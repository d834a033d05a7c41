#include "engine/settings.h"

#include <cstdlib>
#include <ctime>

namespace emulator {
namespace {
bool has_seed = false;
uint64_t chosen_seed = 0;
uint64_t launch_count = 0;
Random streams(0);

bool is_set(const char* variable) {
    const char* text = getenv(variable);
    return text != nullptr && *text != 0;
}
}  // namespace

std::string home() { return EMULATOR_HOME; }

uint64_t seed() {
    if (!has_seed) {
        const char* text = getenv("SAMPLESORT_EMULATOR_SEED");
        set_seed(text != nullptr ? strtoull(text, nullptr, 10) : (uint64_t)time(nullptr));
    }
    return chosen_seed;
}

void set_seed(uint64_t seed) {
    chosen_seed = seed;
    has_seed = true;
    launch_count = 0;
    streams = Random(seed ^ 0x5eed);
}

uint64_t next_launch() { return ++launch_count; }

Random& stream_random() {
    seed();
    return streams;
}

int device_count() {
    const char* text = getenv("SAMPLESORT_EMULATOR_DEVICES");
    return text != nullptr && *text != 0 ? atoi(text) : 1;
}

bool counts_coverage() { return is_set("SAMPLESORT_EMULATOR_COVERAGE"); }

bool is_for_debugging() { return is_set("SAMPLESORT_EMULATOR_DEBUG"); }

}  // namespace emulator
