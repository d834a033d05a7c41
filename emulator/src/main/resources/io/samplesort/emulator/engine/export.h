// Marks the functions that the emulator's library exports.
#pragma once

#define EMULATOR_EXPORT extern "C" __attribute__((visibility("default")))
