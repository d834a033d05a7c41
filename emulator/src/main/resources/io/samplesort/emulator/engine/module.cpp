#include "engine/module.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "engine/settings.h"

namespace emulator {
namespace {

// The place in memory of the loaded library to which an address belongs.
struct Segments {
    uintptr_t address;
    bool found = false;
    uintptr_t base = 0;
    uintptr_t end = 0;
    char* tls = nullptr;
    size_t tls_bytes = 0;
};

int visit(dl_phdr_info* info, size_t, void* data) {
    Segments segments = {((Segments*)data)->address};
    segments.base = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& segment = info->dlpi_phdr[i];
        const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
        if (segment.p_type == PT_LOAD) {
            segments.found |= segments.address - begin < segment.p_memsz;
            segments.end = begin + segment.p_memsz;
        }
        if (segment.p_type == PT_TLS) {
            segments.tls = (char*)info->dlpi_tls_data;
            segments.tls_bytes = segment.p_memsz;
        }
    }
    if (segments.found) {
        *(Segments*)data = segments;
    }
    return segments.found ? 1 : 0;
}

Segments segments_of(const void* address) {
    Segments segments = {(uintptr_t)address};
    dl_iterate_phdr(visit, &segments);
    return segments;
}

}  // namespace

std::unique_ptr<Module> Module::load(const void* image, const Engine* engine, std::string* problem) {
    ImageHeader header;
    memcpy(&header, image, sizeof(header));
    if (memcmp(header.mark, kImageMark, sizeof(kImageMark)) != 0) {
        *problem = "this is not a library of kernels that the emulated NVRTC has made";
        return nullptr;
    }
    auto module = std::make_unique<Module>();
    // Each load has a file of its own, since the system loads a file only once, and each module needs its own
    // variables.
    static int count = 0;
    module->path = home() + "/module-" + std::to_string(getpid()) + "-" + std::to_string(++count) + ".so";
    FILE* file = fopen(module->path.c_str(), "wb");
    if (file == nullptr || fwrite((const char*)image + sizeof(header), 1, header.bytes, file) != header.bytes) {
        *problem = "cannot write " + module->path;
        return nullptr;
    }
    fclose(file);
    module->library_ = dlopen(module->path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module->library_ == nullptr) {
        *problem = dlerror();
        return nullptr;
    }
    const auto kernels = (const KernelTable* (*)())dlsym(module->library_, "emulator_kernels");
    module->table = kernels();
    *module->table->engine = engine;
    const Segments segments = segments_of((const void*)kernels);
    module->image_ = segments.base;
    module->image_bytes_ = segments.end - segments.base;
    return module;
}

Module::~Module() {
    if (library_ != nullptr) {
        dlclose(library_);
    }
    unlink(path.c_str());
}

const KernelEntry* Module::find(const char* name) const {
    for (size_t i = 0; i < table->kernel_count; ++i) {
        if (strcmp(table->kernels[i].name, name) == 0) {
            return &table->kernels[i];
        }
    }
    return nullptr;
}

SharedRegion Module::shared_region() const {
    // This call also makes the system create the calling thread's copy.
    char* dynamic = (char*)table->dynamic_shared();
    const Segments segments = segments_of((const void*)image_);
    return {segments.tls, segments.tls_bytes, (size_t)(dynamic - segments.tls), kMaxSharedBytes};
}

std::string Module::source_location(const void* at) const {
    const Segments segments = segments_of(at);
    if (!segments.found) {
        return "";
    }
    char command[4096];
    snprintf(
        command, sizeof(command), "addr2line -s -f -C -e '%s' -i 0x%llx 2>/dev/null", path.c_str(),
        (unsigned long long)((uintptr_t)at - 1 - segments.base));
    FILE* pipe = popen(command, "r");
    if (pipe == nullptr) {
        return "";
    }
    char function[1024] = "";
    char line[1024] = "";
    const bool complete = fgets(function, sizeof(function), pipe) && fgets(line, sizeof(line), pipe);
    pclose(pipe);
    if (!complete || line[0] == '?') {
        return "";
    }
    function[strcspn(function, "(<\n")] = 0;
    line[strcspn(line, " \n")] = 0;
    const char* plain = strrchr(function, ' ');
    return std::string(" (") + line + ", " + (plain == nullptr ? function : plain + 1) + ")";
}

}  // namespace emulator
