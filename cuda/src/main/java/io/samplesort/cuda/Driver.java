package io.samplesort.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.samplesort.errors.CudaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The functions of the CUDA driver that this library calls, each with its C prototype. Handles, device addresses and
/// sizes are passed as longs, and out-parameters as addresses.
final class Driver {
    static final int OUT_OF_MEMORY = 2;

    /// See [#out].
    private static final ThreadLocal<MemorySegment> OUT =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(2 * Long.BYTES, Long.BYTES));

    final NativeLibrary library;

    /// `CUresult cuGetErrorName(CUresult error, const char** pStr)`
    final NativeFunction getErrorName;
    /// `CUresult cuGetErrorString(CUresult error, const char** pStr)`
    final NativeFunction getErrorString;
    /// `CUresult cuDriverGetVersion(int* version)`
    final NativeFunction driverGetVersion;
    /// `CUresult cuDeviceGetCount(int* count)`
    final NativeFunction deviceGetCount;
    /// `CUresult cuDeviceGetName(char* name, int len, CUdevice dev)`
    final NativeFunction deviceGetName;
    /// `CUresult cuDeviceGetAttribute(int* pi, CUdevice_attribute attrib, CUdevice dev)`
    final NativeFunction deviceGetAttribute;
    /// `CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice dev)`
    final NativeFunction deviceTotalMem;
    /// `CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool_out, CUdevice dev)`
    final NativeFunction deviceGetDefaultMemPool;
    /// `CUresult cuDevicePrimaryCtxRetain(CUcontext* pctx, CUdevice dev)`
    final NativeFunction devicePrimaryCtxRetain;
    /// `CUresult cuDevicePrimaryCtxRelease_v2(CUdevice dev)`
    final NativeFunction devicePrimaryCtxRelease;
    /// `CUresult cuDeviceCanAccessPeer(int* canAccessPeer, CUdevice dev, CUdevice peerDev)`
    final NativeFunction deviceCanAccessPeer;
    /// `CUresult cuCtxEnablePeerAccess(CUcontext peerContext, unsigned int Flags)`
    final NativeFunction ctxEnablePeerAccess;
    /// `CUresult cuCtxPushCurrent_v2(CUcontext ctx)`
    final NativeFunction ctxPushCurrent;
    /// `CUresult cuCtxPopCurrent_v2(CUcontext* pctx)`
    final NativeFunction ctxPopCurrent;
    /// `CUresult cuCtxGetDevice(CUdevice* device)`
    final NativeFunction ctxGetDevice;
    /// `CUresult cuMemGetInfo_v2(size_t* free, size_t* total)`
    final NativeFunction memGetInfo;
    /// `CUresult cuMemAlloc_v2(CUdeviceptr* dptr, size_t bytesize)`
    final NativeFunction memAlloc;
    /// `CUresult cuMemFree_v2(CUdeviceptr dptr)`
    final NativeFunction memFree;
    /// `CUresult cuMemAllocAsync(CUdeviceptr* dptr, size_t bytesize, CUstream hStream)`
    final NativeFunction memAllocAsync;
    /// `CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream)`
    final NativeFunction memFreeAsync;
    /// `CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void* value)`
    final NativeFunction memPoolGetAttribute;
    /// `CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void* value)`
    final NativeFunction memPoolSetAttribute;
    /// `CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep)`
    final NativeFunction memPoolTrimTo;
    /// `CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* map, size_t count)`
    final NativeFunction memPoolSetAccess;
    /// `CUresult cuMemHostAlloc(void** pp, size_t bytesize, unsigned int flags)`
    final NativeFunction memHostAlloc;
    /// `CUresult cuMemFreeHost(void* p)`
    final NativeFunction memFreeHost;
    /// `CUresult cuMemHostRegister_v2(void* p, size_t bytesize, unsigned int Flags)`
    final NativeFunction memHostRegister;
    /// `CUresult cuMemHostUnregister(void* p)`
    final NativeFunction memHostUnregister;
    /// `CUresult cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute* attributes, void** data,
    /// CUdeviceptr ptr)`
    final NativeFunction pointerGetAttributes;
    /// `CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dst, const void* src, size_t bytes, CUstream hStream)`
    final NativeFunction memcpyHtoDAsync;
    /// `CUresult cuMemcpyDtoHAsync_v2(void* dst, CUdeviceptr src, size_t bytes, CUstream hStream)`
    final NativeFunction memcpyDtoHAsync;
    /// `CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream hStream)`
    final NativeFunction memcpyDtoDAsync;
    /// `CUresult cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext dstContext, CUdeviceptr src, CUcontext srcContext,
    /// size_t bytes, CUstream hStream)`
    final NativeFunction memcpyPeerAsync;
    /// `CUresult cuMemsetD8Async(CUdeviceptr dst, unsigned char uc, size_t n, CUstream hStream)`
    final NativeFunction memsetD8Async;
    /// `CUresult cuStreamCreate(CUstream* phStream, unsigned int flags)`
    final NativeFunction streamCreate;
    /// `CUresult cuStreamDestroy_v2(CUstream hStream)`
    final NativeFunction streamDestroy;
    /// `CUresult cuStreamSynchronize(CUstream hStream)`
    final NativeFunction streamSynchronize;
    /// `CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags)`
    final NativeFunction streamWaitEvent;
    /// `CUresult cuEventCreate(CUevent* phEvent, unsigned int flags)`
    final NativeFunction eventCreate;
    /// `CUresult cuEventDestroy_v2(CUevent hEvent)`
    final NativeFunction eventDestroy;
    /// `CUresult cuEventRecord(CUevent hEvent, CUstream hStream)`
    final NativeFunction eventRecord;
    /// `CUresult cuEventSynchronize(CUevent hEvent)`
    final NativeFunction eventSynchronize;
    /// `CUresult cuEventElapsedTime(float* pMilliseconds, CUevent hStart, CUevent hEnd)`
    final NativeFunction eventElapsedTime;
    /// `CUresult cuModuleLoadData(CUmodule* module, const void* image)`
    final NativeFunction moduleLoadData;
    /// `CUresult cuModuleUnload(CUmodule hmod)`
    final NativeFunction moduleUnload;
    /// `CUresult cuModuleGetFunction(CUfunction* hfunc, CUmodule hmod, const char* name)`
    final NativeFunction moduleGetFunction;
    /// `CUresult cuFuncGetAttribute(int* pi, CUfunction_attribute attrib, CUfunction hfunc)`
    final NativeFunction funcGetAttribute;
    /// `CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value)`
    final NativeFunction funcSetAttribute;
    /// `CUresult cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t* paramOffset, size_t* paramSize)`
    final NativeFunction funcGetParamInfo;
    /// `CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, CUfunction func, int blockSize, size_t
    /// shared)`
    final NativeFunction occupancyMaxActiveBlocks;
    /// `CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction f, void** kernelParams, void** extra)`
    final NativeFunction launchKernel;

    /// Initialises the driver (`CUresult cuInit(unsigned int flags)`). This takes a tenth of a second. Meanwhile other
    /// threads look up all other functions and run `meanwhile`.
    ///
    /// @throws IllegalArgumentException if the library lacks a function
    /// @throws CudaException            if the driver cannot be used
    static Driver start(NativeLibrary library, Runnable meanwhile) {
        NativeFunction init = library.function("cuInit", 1, (result, call) -> {});
        // cuInit is linked before the others, so that it does not wait for theirs: Java takes long to link a first
        // function.
        init.link();
        if (meanwhile != null) {
            Background.runNative("meanwhile", meanwhile);
        }
        Background<Driver> lookingUp = Background.start("functions", () -> new Driver(library));
        int result = init.invoke(0);
        Driver driver = lookingUp.result();
        driver.check(result, "cuInit");
        return driver;
    }

    private Driver(NativeLibrary library) {
        this.library = library;
        getErrorName = function("cuGetErrorName", 2);
        getErrorString = function("cuGetErrorString", 2);
        driverGetVersion = function("cuDriverGetVersion", 1);
        deviceGetCount = function("cuDeviceGetCount", 1);
        deviceGetName = function("cuDeviceGetName", 3);
        deviceGetAttribute = function("cuDeviceGetAttribute", 3);
        deviceTotalMem = function("cuDeviceTotalMem_v2", 2);
        deviceGetDefaultMemPool = function("cuDeviceGetDefaultMemPool", 2);
        devicePrimaryCtxRetain = function("cuDevicePrimaryCtxRetain", 2);
        devicePrimaryCtxRelease = function("cuDevicePrimaryCtxRelease_v2", 1);
        deviceCanAccessPeer = function("cuDeviceCanAccessPeer", 3);
        ctxEnablePeerAccess = function("cuCtxEnablePeerAccess", 2);
        ctxPushCurrent = function("cuCtxPushCurrent_v2", 1);
        ctxPopCurrent = function("cuCtxPopCurrent_v2", 1);
        ctxGetDevice = function("cuCtxGetDevice", 1);
        memGetInfo = function("cuMemGetInfo_v2", 2);
        memAlloc = function("cuMemAlloc_v2", 2);
        memFree = function("cuMemFree_v2", 1);
        memAllocAsync = function("cuMemAllocAsync", 3);
        memFreeAsync = function("cuMemFreeAsync", 2);
        memPoolGetAttribute = function("cuMemPoolGetAttribute", 3);
        memPoolSetAttribute = function("cuMemPoolSetAttribute", 3);
        memPoolTrimTo = function("cuMemPoolTrimTo", 2);
        memPoolSetAccess = function("cuMemPoolSetAccess", 3);
        memHostAlloc = function("cuMemHostAlloc", 3);
        memFreeHost = function("cuMemFreeHost", 1);
        memHostRegister = function("cuMemHostRegister_v2", 3);
        memHostUnregister = function("cuMemHostUnregister", 1);
        pointerGetAttributes = function("cuPointerGetAttributes", 4);
        memcpyHtoDAsync = function("cuMemcpyHtoDAsync_v2", 4);
        memcpyDtoHAsync = function("cuMemcpyDtoHAsync_v2", 4);
        memcpyDtoDAsync = function("cuMemcpyDtoDAsync_v2", 4);
        memcpyPeerAsync = function("cuMemcpyPeerAsync", 6);
        memsetD8Async = function("cuMemsetD8Async", 4);
        streamCreate = function("cuStreamCreate", 2);
        streamDestroy = function("cuStreamDestroy_v2", 1);
        streamSynchronize = function("cuStreamSynchronize", 1);
        streamWaitEvent = function("cuStreamWaitEvent", 3);
        eventCreate = function("cuEventCreate", 2);
        eventDestroy = function("cuEventDestroy_v2", 1);
        eventRecord = function("cuEventRecord", 2);
        eventSynchronize = function("cuEventSynchronize", 1);
        eventElapsedTime = function("cuEventElapsedTime", 3);
        moduleLoadData = function("cuModuleLoadData", 2);
        moduleUnload = function("cuModuleUnload", 1);
        moduleGetFunction = function("cuModuleGetFunction", 3);
        funcGetAttribute = function("cuFuncGetAttribute", 3);
        funcSetAttribute = function("cuFuncSetAttribute", 3);
        funcGetParamInfo = function("cuFuncGetParamInfo", 4);
        occupancyMaxActiveBlocks = function("cuOccupancyMaxActiveBlocksPerMultiprocessor", 4);
        launchKernel = function("cuLaunchKernelEx", 4);
    }

    private NativeFunction function(String name, int arity) {
        return library.function(name, arity, this::check);
    }

    /// Returns room for two longs that a function returns by address. The calling thread may use it until its next
    /// call of this method. A sort makes half a dozen such driver calls, and allocating native memory for each would
    /// take longer than most of them.
    static MemorySegment out() {
        return OUT.get();
    }

    /// Throws unless `result` is success.
    ///
    /// @param call the C name of the function that returned `result`
    void check(int result, String call) {
        if (result != 0) {
            throw new CudaException(
                    call + " failed" + currentGpu() + " with " + errorText(getErrorName, result) + " (" + result + "): "
                            + errorText(getErrorString, result) + ". " + advice(result),
                    result);
        }
    }

    /// Returns the GPU of the failed call; an empty text if no context is current.
    private String currentGpu() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment device = arena.allocate(JAVA_INT);
            return ctxGetDevice.invoke(NativeFunction.address(device)) == 0 ? " on gpu:" + device.get(JAVA_INT, 0) : "";
        }
    }

    private static String errorText(NativeFunction function, int result) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ADDRESS);
            int status = function.invoke(result, NativeFunction.address(out));
            MemorySegment text = out.get(ADDRESS, 0);
            return status != 0 || text.address() == 0
                    ? "an unknown error"
                    : text.reinterpret(1024).getString(0);
        }
    }

    private static String advice(int result) {
        return switch (result) {
            case OUT_OF_MEMORY -> "Free device memory, sort fewer elements at a time, or use the CPU.";
            case 46, 201, 709 -> "Another process may hold the GPU exclusively: see nvidia-smi.";
            case 100, 101 -> "Name one of the GPUs that 'samplesort info' lists.";
            case 200, 209, 218, 222 ->
                "The kernels do not fit this driver or GPU: update the driver, or delete the kernel cache.";
            case 700, 702, 714, 715, 716, 717, 718, 719 ->
                "A kernel has failed and this process has lost its GPU: restart the process, and please report this.";
            case 712 -> "This memory is pinned already and needs no registration.";
            case 803 -> "The NVIDIA driver is older than its library: reboot, or reinstall the driver.";
            default -> "See 'samplesort info' for what was found on this machine.";
        };
    }
}
