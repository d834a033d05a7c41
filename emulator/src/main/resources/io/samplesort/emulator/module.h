// A loaded kernel library.
#pragma once

#include <memory>
#include <string>

#include "block.h"
#include "engine.h"

namespace emulator {

struct Module {
    const KernelTable* table = nullptr;
    std::string path;

    // Null, and the reason, where the image is none of ours.
    static std::unique_ptr<Module> load(const void* image, std::string* problem);
    ~Module();

    const KernelEntry* find(const char* name) const;

    // Where the shared memory of a block lies that runs on the calling system thread.
    SharedRegion shared_region() const;

    // Whether an address is code or constant data of the library.
    bool contains(const void* address) const { return (uintptr_t)address - image_ < image_bytes_; }

    // " (scatter.cuh:97, scatter_tile)", or nothing where the library has no line numbers.
    std::string source_location(const void* at) const;

  private:
    void* library_ = nullptr;
    uintptr_t image_ = 0;
    size_t image_bytes_ = 0;
};

// What nvrtcGetCUBIN hands out: a library of kernels, so marked that it is not taken for machine code of a GPU.
struct ImageHeader {
    char mark[24];
    uint64_t bytes;  // of the library that follows
};
constexpr char kImageMark[24] = "samplesort emulation 1";

extern const Engine kEngine;

}  // namespace emulator
