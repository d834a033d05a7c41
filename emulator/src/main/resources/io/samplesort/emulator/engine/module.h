// A library of kernels that has been loaded.
#pragma once

#include <memory>
#include <string>

#include "kernel/interface.h"

namespace emulator {

// The place where a library of kernels keeps shared memory, in the thread-local storage of the calling system thread.
struct SharedRegion {
    char* base = nullptr;
    size_t bytes = 0;           // of static and dynamic memory
    size_t dynamic_offset = 0;  // where the dynamic part begins
    size_t dynamic_room = 0;    // how large it may be

    // Calls visit(offset, bytes) for the memory that a launch uses: the static memory on both sides of the dynamic
    // memory, and `dynamic_bytes` of the dynamic memory.
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
    int device = 0;  // the GPU on which it has been loaded

    // Returns null and sets `problem` if the emulated NVRTC has not made the image. Its kernels call `engine`.
    static std::unique_ptr<Module> load(const void* image, const Engine* engine, std::string* problem);
    ~Module();

    const KernelEntry* find(const char* name) const;

    // The shared memory of a block that runs on the calling system thread.
    SharedRegion shared_region() const;

    // Whether an address is code or constant data of the library.
    bool contains(const void* address) const { return (uintptr_t)address - image_ < image_bytes_; }

    // A text such as " (scatter.cuh:97, scatter_tile)"; empty if the library has no line numbers.
    std::string source_location(const void* at) const;

  private:
    void* library_ = nullptr;
    uintptr_t image_ = 0;
    size_t image_bytes_ = 0;
};

// The header before the library of kernels that nvrtcGetCUBIN returns, so that the library is never mistaken for
// machine code of a GPU.
struct ImageHeader {
    char mark[24];
    uint64_t bytes;  // of the library that follows
};
constexpr char kImageMark[24] = "samplesort emulation 1";

}  // namespace emulator
