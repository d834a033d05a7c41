// The folder that the emulator works in, and the choices made when it was built or by the environment.
#pragma once

#include <cstdint>
#include <string>

#include "random.h"

namespace emulator {

// The sources lie there, and what is made from kernels: SAMPLESORT_EMULATOR_HOME of the build.
std::string home();

// SAMPLESORT_EMULATOR_SEED of the environment, or one of its own: what all random choices follow from.
uint64_t seed();
void set_seed(uint64_t seed);

// 1 for the first launch after the seed was set, and so on: with the seed, what a launch's choices follow from.
uint64_t next_launch();

// For when a stream gets ahead of the host; it starts anew with the seed as well.
Random& stream_random();

// SAMPLESORT_EMULATOR_COVERAGE of the environment: kernels count how often their lines run.
bool counts_coverage();

// SAMPLESORT_EMULATOR_DEBUG of the environment: kernels keep all their variables for a debugger.
bool is_for_debugging();

}  // namespace emulator
