// The folder in which the emulator works, the seed of its random choices, and the settings of the environment.
#pragma once

#include <cstdint>
#include <string>

#include "engine/random.h"

namespace emulator {

// The folder of the emulator's sources and of the libraries that it makes from kernels, chosen when the emulator was
// built.
std::string home();

// The seed of all random choices: SAMPLESORT_EMULATOR_SEED of the environment, or the time.
uint64_t seed();
void set_seed(uint64_t seed);

// Numbers the launches since the seed was set, from 1. A launch's choices follow from the seed and its number.
uint64_t next_launch();

// Chooses when a stream gets ahead of the host. It starts anew when the seed is set.
Random& stream_random();

// How many GPUs there are at first: SAMPLESORT_EMULATOR_DEVICES of the environment, or 1.
int device_count();

// Whether kernels count how often their lines run: SAMPLESORT_EMULATOR_COVERAGE of the environment.
bool counts_coverage();

// Whether kernels keep all their variables for a debugger: SAMPLESORT_EMULATOR_DEBUG of the environment.
bool is_for_debugging();

}  // namespace emulator
