// Driver functions: modules, kernels and their launches.
#include <cstring>

#include "driver/driver.h"
#include "driver/stream.h"
#include "engine/callbacks.h"
#include "engine/launch.h"

using namespace emulator;

namespace {

Function* find_function(uint64_t handle, const char* call) {
    auto& functions = Driver::instance().functions;
    const auto found = functions.find(handle);
    if (found == functions.end()) {
        misuse(kInvalidHandle, std::string(call) + " of a kernel whose module is not loaded");
        return nullptr;
    }
    return &found->second;
}

int resident_blocks(int threads, size_t shared_bytes) {
    const int by_threads = 2048 / threads;
    const int by_shared = (int)(233472 / (shared_bytes + 1024));
    const int blocks = by_threads < by_shared ? by_threads : by_shared;
    return blocks < kBlocksPerMultiprocessor ? blocks : kBlocksPerMultiprocessor;
}

Result check_limits(const Function& function, const Index3& grid, const Index3& block, size_t shared_bytes) {
    const std::string name = std::string("the launch of ") + function.kernel->name;
    const uint64_t threads = (uint64_t)block.x * block.y * block.z;
    const uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z;
    if (threads == 0 || blocks == 0) {
        return misuse(kInvalidValue, name + " has no threads");
    }
    if (threads > kMaxThreads) {
        return misuse(kInvalidValue, name + " has " + std::to_string(threads) + " threads a block; 1024 are possible");
    }
    if ((int)threads > function.kernel->max_threads) {
        return misuse(
            kLaunchOutOfResources,
            name + " has " + std::to_string(threads) + " threads a block; its registers allow "
                + std::to_string(function.kernel->max_threads) + " (__launch_bounds__)");
    }
    if (shared_bytes > function.allowed_shared_bytes) {
        return misuse(
            kInvalidValue,
            name + " has " + std::to_string(shared_bytes) + " bytes of dynamic shared memory; "
                + std::to_string(function.allowed_shared_bytes) + " are allowed (cuFuncSetAttribute)");
    }
    return kSuccess;
}

Result launch_kernel(
    uint64_t handle, const Index3& grid, const Index3& block, size_t shared_bytes, uint64_t stream, void** parameters) {
    const char* call = "cuLaunchKernelEx";
    const Function* function = find_function(handle, call);
    if (function == nullptr) {
        return kInvalidHandle;
    }
    if (function->module->device != current_device()) {
        return misuse(
            kInvalidContext,
            std::string("the launch of ") + function->kernel->name + ", which is loaded on "
                + name_of_device(function->module->device) + ", while the current context is that of "
                + name_of_device(current_device()));
    }
    const Result limits = check_limits(*function, grid, block, shared_bytes);
    if (limits != kSuccess) {
        return limits;
    }
    if (Driver::instance().takes(Fault::kLaunch)) {
        return misuse(
            kLaunchOutOfResources, std::string("the launch of ") + function->kernel->name + " was told to fail");
    }
    // The parameters are copied now, as the caller owns their memory.
    auto values = std::make_shared<std::vector<std::vector<uint64_t>>>();
    for (size_t i = 0; i < function->kernel->parameter_count; ++i) {
        const size_t bytes = function->kernel->parameter_bytes[i];
        if (parameters == nullptr || parameters[i] == nullptr) {
            return misuse(
                kInvalidValue,
                std::string("the launch of ") + function->kernel->name + " lacks parameter " + std::to_string(i)
                    + " of " + std::to_string(function->kernel->parameter_count));
        }
        values->emplace_back((bytes + 7) / 8);
        memcpy(values->back().data(), parameters[i], bytes);
    }
    const Module* module = function->module;
    const KernelEntry* kernel = function->kernel;
    return enqueue(
        stream,
        [=] {
            std::vector<void*> pointers;
            for (auto& value : *values) {
                pointers.push_back(value.data());
            }
            const int threads = (int)(block.x * block.y * block.z);
            const size_t resident = (size_t)(kMultiprocessorCount * resident_blocks(threads, shared_bytes));
            Launch launch = {module->device, module, kernel, grid, block, shared_bytes, resident, pointers.data(),
                             false,          false,  0,      {},   ""};
            WorkOrder::instance().set_name(std::string("kernel ") + kernel->name);
            run_launch(launch);
        },
        call);
}

}  // namespace

EMULATOR_EXPORT int cuModuleLoadData(uint64_t* handle, const void* image) {
    const Guard guard(lock());
    const Result result = ready("cuModuleLoadData");
    if (result != kSuccess) {
        return result;
    }
    std::string problem;
    std::unique_ptr<Module> module = Module::load(image, &kCallbacks, &problem);
    if (!module) {
        return misuse(kInvalidImage, problem);
    }
    module->device = current_device();
    *handle = Driver::instance().handle();
    Driver::instance().modules[*handle] = std::move(module);
    return kSuccess;
}

EMULATOR_EXPORT int cuModuleUnload(uint64_t handle) {
    const Guard guard(lock());
    Driver& driver = Driver::instance();
    const auto found = driver.modules.find(handle);
    if (found == driver.modules.end()) {
        return misuse(kInvalidHandle, "cuModuleUnload of a module that is not loaded");
    }
    {
        const ActingFor acting(found->second->device);
        run_all_streams();
    }
    for (auto function = driver.functions.begin(); function != driver.functions.end();) {
        function =
            function->second.module == found->second.get() ? driver.functions.erase(function) : std::next(function);
    }
    driver.modules.erase(found);
    return device_state();
}

EMULATOR_EXPORT int cuModuleGetFunction(uint64_t* function, uint64_t module, const char* name) {
    const Guard guard(lock());
    Driver& driver = Driver::instance();
    const auto found = driver.modules.find(module);
    if (found == driver.modules.end()) {
        return misuse(kInvalidHandle, "cuModuleGetFunction of a module that is not loaded");
    }
    const KernelEntry* kernel = found->second->find(name);
    if (kernel == nullptr) {
        return misuse(kNotFound, std::string("the module has no kernel ") + name);
    }
    *function = driver.handle();
    driver.functions[*function] = {found->second.get(), kernel};
    return kSuccess;
}

EMULATOR_EXPORT int cuFuncGetParamInfo(uint64_t handle, size_t index, size_t* offset, size_t* bytes) {
    const Guard guard(lock());
    const Function* function = find_function(handle, "cuFuncGetParamInfo");
    if (function == nullptr) {
        return kInvalidHandle;
    }
    if (index >= function->kernel->parameter_count) {
        return kInvalidValue;
    }
    *offset = 0;
    for (size_t i = 0; i < index; ++i) {
        *offset += (function->kernel->parameter_bytes[i] + 7) / 8 * 8;
    }
    *bytes = function->kernel->parameter_bytes[index];
    return kSuccess;
}

EMULATOR_EXPORT int cuFuncGetAttribute(int* value, int attribute, uint64_t handle) {
    const Guard guard(lock());
    const Function* function = find_function(handle, "cuFuncGetAttribute");
    if (function == nullptr) {
        return kInvalidHandle;
    }
    // Registers and local memory are not emulated.
    *value = attribute == 0 ? function->kernel->max_threads : 0;
    return kSuccess;
}

EMULATOR_EXPORT int cuFuncSetAttribute(uint64_t handle, int attribute, int value) {
    const Guard guard(lock());
    Function* function = find_function(handle, "cuFuncSetAttribute");
    if (function == nullptr) {
        return kInvalidHandle;
    }
    constexpr int kMaxDynamicSharedBytes = 8;
    constexpr int kPreferredSharedPercentage = 9;
    if (attribute == kPreferredSharedPercentage && value >= -1 && value <= 100) {
        return kSuccess;  // A hint.
    }
    if (attribute != kMaxDynamicSharedBytes || value < 0 || (size_t)value > kMaxSharedBytes) {
        return misuse(
            kInvalidValue,
            std::string("cuFuncSetAttribute of ") + function->kernel->name + ": " + std::to_string(value)
                + " bytes of shared memory; a block has " + std::to_string(kMaxSharedBytes));
    }
    function->allowed_shared_bytes =
        (size_t)value > function->allowed_shared_bytes ? (size_t)value : function->allowed_shared_bytes;
    return kSuccess;
}

EMULATOR_EXPORT int cuOccupancyMaxActiveBlocksPerMultiprocessor(
    int* blocks, uint64_t handle, int threads, size_t shared_bytes) {
    const Guard guard(lock());
    const Function* function = find_function(handle, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    if (function == nullptr) {
        return kInvalidHandle;
    }
    *blocks = threads <= function->kernel->max_threads ? resident_blocks(threads, shared_bytes) : 0;
    return kSuccess;
}

// These have the same layout as in cuda.h.
struct LaunchAttribute {
    int id;
    int padding;
    int value;
    char more[60];
};
static_assert(sizeof(LaunchAttribute) == 72, "CUlaunchAttribute");

struct LaunchConfig {
    unsigned grid[3];
    unsigned block[3];
    unsigned shared_bytes;
    uint64_t stream;
    const LaunchAttribute* attributes;
    unsigned attribute_count;
};
static_assert(sizeof(LaunchConfig) == 56, "CUlaunchConfig");

EMULATOR_EXPORT int cuLaunchKernelEx(const LaunchConfig* config, uint64_t function, void** parameters, void**) {
    constexpr int kProgrammaticStreamSerialization = 6;
    const Guard guard(lock());
    for (unsigned i = 0; i < config->attribute_count; ++i) {
        const LaunchAttribute& attribute = config->attributes[i];
        // This allows a kernel to begin before the previous one has ended; beginning after that is correct as well.
        if (attribute.id != kProgrammaticStreamSerialization) {
            return misuse(kInvalidValue, "cuLaunchKernelEx with attribute " + std::to_string(attribute.id));
        }
    }
    return launch_kernel(
        function, {config->grid[0], config->grid[1], config->grid[2]},
        {config->block[0], config->block[1], config->block[2]}, config->shared_bytes, config->stream, parameters);
}
