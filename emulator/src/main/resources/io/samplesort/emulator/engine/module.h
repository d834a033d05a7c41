// A library of kernels that has been loaded.
#pragma once

#include <memory>
#include <string>

#include "kernel/interface.h"

namespace emulator {

// Where a library of kernels keeps shared memory, which is in the thread-local storage of the calling system thread.
struct SharedRegion {
    char* base = nullptr;
    size_t bytes = 0;           // of static and dynamic memory
    size_t dynamic_offset = 0;  // where the dynamic part begins
    size_t dynamic_room = 0;    // how large it may be

    // Calls visit(offset, bytes) for what a launch uses: the static memory on both sides of the dynamic memory, and
    // `dynamic_bytes` of that.
    template <typename Visit>
    void for_each_used(size_t dynamic_bytes, const Visit& visit) const {
        visit(0, dynamic_offset);
        visit(dynamic_offset, dynamic_bytes);
        visit(dynamic_offset + dynamic_room, bytes - dynamic_offset - dynamic_room);
    }
};

struct Module {
    const KernelTable* table = nullptr;
    std::string path;
    int device = 0;  // the GPU that it has been loaded on

    // Returns null and sets `problem` if the image is not one of ours. Its kernels call `engine`.
    static std::unique_ptr<Module> load(const void* image, const Engine* engine, std::string* problem);
    ~Module();

    const KernelEntry* find(const char* name) const;

    // Where the shared memory of a block that runs on the calling system thread lies.
    SharedRegion shared_region() const;

    // Whether an address is code or constant data of the library.
    bool contains(const void* address) const { return (uintptr_t)address - image_ < image_bytes_; }

    // Such as " (scatter.cuh:97, scatter_tile)"; empty if the library has no line numbers.
    std::string source_location(const void* at) const;

  private:
    void* library_ = nullptr;
    uintptr_t image_ = 0;
    size_t image_bytes_ = 0;
};

// What precedes the library of kernels that nvrtcGetCUBIN returns, so that nobody takes it for machine code of a GPU.
struct ImageHeader {
    char mark[24];
    uint64_t bytes;  // of the library that follows
};
constexpr char kImageMark[24] = "samplesort emulation 1";

}  // namespace emulator
