// Makes a library of the kernels that were included before this file: it lists them in a table. The library is linked
// with access_hooks.cpp.
#pragma once

template <typename... Parameters>
struct EmulatorSignature {
    static constexpr size_t kCount = sizeof...(Parameters);
    static constexpr size_t kBytes[kCount + 1] = {sizeof(Parameters)..., 0};
};

template <typename... Parameters>
EmulatorSignature<Parameters...> emulator_signature(void (*)(Parameters...));

// Calls a kernel with the parameters that its launch copied.
template <auto kKernel, typename Signature = decltype(emulator_signature(kKernel))>
struct EmulatorCall;
template <auto kKernel, typename... Parameters>
struct EmulatorCall<kKernel, EmulatorSignature<Parameters...>> {
    template <size_t... kIndexes>
    struct Indexes {};
    template <size_t kCount, size_t... kIndexes>
    struct MakeIndexes : MakeIndexes<kCount - 1, kCount - 1, kIndexes...> {};
    template <size_t... kIndexes>
    struct MakeIndexes<0, kIndexes...> {
        typedef Indexes<kIndexes...> type;
    };
    template <size_t... kIndexes>
    __attribute__((no_sanitize("thread"))) static void call_with(void** parameters, Indexes<kIndexes...>) {
        (void)parameters;
        kKernel(*(Parameters*)parameters[kIndexes]...);
    }
    static void call(void** parameters) { call_with(parameters, typename MakeIndexes<sizeof...(Parameters)>::type()); }
};

#define EMULATOR_FIRST_BOUND(...) EMULATOR_FIRST_BOUND_OF(__VA_ARGS__, 0)
#define EMULATOR_FIRST_BOUND_OF(first, ...) (int)(first)
// The arguments after the kernel's name are those of its __launch_bounds__.
#define EMULATOR_KERNEL(kernel, ...)                                                      \
    {#kernel, EmulatorCall<&kernel>::call, decltype(emulator_signature(&kernel))::kBytes, \
     decltype(emulator_signature(&kernel))::kCount, EMULATOR_FIRST_BOUND(__VA_ARGS__)},

#define EMULATOR_LIBRARY(shared_address)                                                                           \
    __attribute__((no_sanitize("thread"))) static const void* emulator_dynamic_shared() { return shared_address; } \
    extern "C" __attribute__((visibility("default"))) const emulator::KernelTable* emulator_kernels() {            \
        static const emulator::KernelTable table = {                                                               \
            emulator_kernel_list, sizeof(emulator_kernel_list) / sizeof(emulator::KernelEntry), &emulator_engine,  \
            const_cast<emulator::ThreadView*>(&emulator_current), emulator_dynamic_shared};                        \
        return &table;                                                                                             \
    }
