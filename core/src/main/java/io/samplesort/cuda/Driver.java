package io.samplesort.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.samplesort.CudaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The functions of the CUDA driver that we call, each with its C prototype. Handles, device addresses and sizes are
/// longs; out-parameters are addresses.
final class Driver {
    static final int OUT_OF_MEMORY = 2;

    /// See [#out].
    private static final ThreadLocal<MemorySegment> OUT =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(2 * Long.BYTES, Long.BYTES));

    final NativeLibrary library;

    /// `CUresult cuGetErrorName(CUresult error, const char** pStr)`
    final MethodHandle getErrorName;
    /// `CUresult cuGetErrorString(CUresult error, const char** pStr)`
    final MethodHandle getErrorString;
    /// `CUresult cuInit(unsigned int flags)`
    final MethodHandle init;
    /// `CUresult cuDriverGetVersion(int* version)`
    final MethodHandle driverGetVersion;
    /// `CUresult cuDeviceGetCount(int* count)`
    final MethodHandle deviceGetCount;
    /// `CUresult cuDeviceGet(CUdevice* device, int ordinal)`
    final MethodHandle deviceGet;
    /// `CUresult cuDeviceGetName(char* name, int len, CUdevice dev)`
    final MethodHandle deviceGetName;
    /// `CUresult cuDeviceGetAttribute(int* pi, CUdevice_attribute attrib, CUdevice dev)`
    final MethodHandle deviceGetAttribute;
    /// `CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice dev)`
    final MethodHandle deviceTotalMem;
    /// `CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool_out, CUdevice dev)`
    final MethodHandle deviceGetDefaultMemPool;
    /// `CUresult cuDevicePrimaryCtxRetain(CUcontext* pctx, CUdevice dev)`
    final MethodHandle devicePrimaryCtxRetain;
    /// `CUresult cuDevicePrimaryCtxRelease_v2(CUdevice dev)`
    final MethodHandle devicePrimaryCtxRelease;
    /// `CUresult cuCtxPushCurrent_v2(CUcontext ctx)`
    final MethodHandle ctxPushCurrent;
    /// `CUresult cuCtxPopCurrent_v2(CUcontext* pctx)`
    final MethodHandle ctxPopCurrent;
    /// `CUresult cuCtxSynchronize(void)`
    final MethodHandle ctxSynchronize;
    /// `CUresult cuMemGetInfo_v2(size_t* free, size_t* total)`
    final MethodHandle memGetInfo;
    /// `CUresult cuMemAlloc_v2(CUdeviceptr* dptr, size_t bytesize)`
    final MethodHandle memAlloc;
    /// `CUresult cuMemFree_v2(CUdeviceptr dptr)`
    final MethodHandle memFree;
    /// `CUresult cuMemAllocAsync(CUdeviceptr* dptr, size_t bytesize, CUstream hStream)`
    final MethodHandle memAllocAsync;
    /// `CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream)`
    final MethodHandle memFreeAsync;
    /// `CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void* value)`
    final MethodHandle memPoolGetAttribute;
    /// `CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void* value)`
    final MethodHandle memPoolSetAttribute;
    /// `CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep)`
    final MethodHandle memPoolTrimTo;
    /// `CUresult cuMemHostAlloc(void** pp, size_t bytesize, unsigned int flags)`
    final MethodHandle memHostAlloc;
    /// `CUresult cuMemFreeHost(void* p)`
    final MethodHandle memFreeHost;
    /// `CUresult cuMemHostRegister_v2(void* p, size_t bytesize, unsigned int Flags)`
    final MethodHandle memHostRegister;
    /// `CUresult cuMemHostUnregister(void* p)`
    final MethodHandle memHostUnregister;
    /// `CUresult cuPointerGetAttributes(unsigned int numAttributes, CUpointer_attribute* attributes, void** data,
    /// CUdeviceptr ptr)`
    final MethodHandle pointerGetAttributes;
    /// `CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dst, const void* src, size_t bytes, CUstream hStream)`
    final MethodHandle memcpyHtoDAsync;
    /// `CUresult cuMemcpyDtoHAsync_v2(void* dst, CUdeviceptr src, size_t bytes, CUstream hStream)`
    final MethodHandle memcpyDtoHAsync;
    /// `CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream hStream)`
    final MethodHandle memcpyDtoDAsync;
    /// `CUresult cuMemsetD8Async(CUdeviceptr dst, unsigned char uc, size_t n, CUstream hStream)`
    final MethodHandle memsetD8Async;
    /// `CUresult cuStreamCreate(CUstream* phStream, unsigned int flags)`
    final MethodHandle streamCreate;
    /// `CUresult cuStreamDestroy_v2(CUstream hStream)`
    final MethodHandle streamDestroy;
    /// `CUresult cuStreamSynchronize(CUstream hStream)`
    final MethodHandle streamSynchronize;
    /// `CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags)`
    final MethodHandle streamWaitEvent;
    /// `CUresult cuEventCreate(CUevent* phEvent, unsigned int flags)`
    final MethodHandle eventCreate;
    /// `CUresult cuEventDestroy_v2(CUevent hEvent)`
    final MethodHandle eventDestroy;
    /// `CUresult cuEventRecord(CUevent hEvent, CUstream hStream)`
    final MethodHandle eventRecord;
    /// `CUresult cuEventSynchronize(CUevent hEvent)`
    final MethodHandle eventSynchronize;
    /// `CUresult cuEventElapsedTime(float* pMilliseconds, CUevent hStart, CUevent hEnd)`
    final MethodHandle eventElapsedTime;
    /// `CUresult cuModuleLoadData(CUmodule* module, const void* image)`
    final MethodHandle moduleLoadData;
    /// `CUresult cuModuleUnload(CUmodule hmod)`
    final MethodHandle moduleUnload;
    /// `CUresult cuModuleGetFunction(CUfunction* hfunc, CUmodule hmod, const char* name)`
    final MethodHandle moduleGetFunction;
    /// `CUresult cuFuncGetAttribute(int* pi, CUfunction_attribute attrib, CUfunction hfunc)`
    final MethodHandle funcGetAttribute;
    /// `CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value)`
    final MethodHandle funcSetAttribute;
    /// `CUresult cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t* paramOffset, size_t* paramSize)`
    final MethodHandle funcGetParamInfo;
    /// `CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, CUfunction func, int blockSize, size_t
    /// shared)`
    final MethodHandle occupancyMaxActiveBlocks;
    /// `CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction f, void** kernelParams, void** extra)`
    final MethodHandle launchKernel;

    Driver(NativeLibrary library) {
        this.library = library;
        getErrorName = library.function("cuGetErrorName", JAVA_INT, ADDRESS);
        getErrorString = library.function("cuGetErrorString", JAVA_INT, ADDRESS);
        init = library.function("cuInit", JAVA_INT);
        driverGetVersion = library.function("cuDriverGetVersion", ADDRESS);
        deviceGetCount = library.function("cuDeviceGetCount", ADDRESS);
        deviceGet = library.function("cuDeviceGet", ADDRESS, JAVA_INT);
        deviceGetName = library.function("cuDeviceGetName", ADDRESS, JAVA_INT, JAVA_INT);
        deviceGetAttribute = library.function("cuDeviceGetAttribute", ADDRESS, JAVA_INT, JAVA_INT);
        deviceTotalMem = library.function("cuDeviceTotalMem_v2", ADDRESS, JAVA_INT);
        deviceGetDefaultMemPool = library.function("cuDeviceGetDefaultMemPool", ADDRESS, JAVA_INT);
        devicePrimaryCtxRetain = library.function("cuDevicePrimaryCtxRetain", ADDRESS, JAVA_INT);
        devicePrimaryCtxRelease = library.function("cuDevicePrimaryCtxRelease_v2", JAVA_INT);
        ctxPushCurrent = library.function("cuCtxPushCurrent_v2", JAVA_LONG);
        ctxPopCurrent = library.function("cuCtxPopCurrent_v2", ADDRESS);
        ctxSynchronize = library.function("cuCtxSynchronize");
        memGetInfo = library.function("cuMemGetInfo_v2", ADDRESS, ADDRESS);
        memAlloc = library.function("cuMemAlloc_v2", ADDRESS, JAVA_LONG);
        memFree = library.function("cuMemFree_v2", JAVA_LONG);
        memAllocAsync = library.function("cuMemAllocAsync", ADDRESS, JAVA_LONG, JAVA_LONG);
        memFreeAsync = library.function("cuMemFreeAsync", JAVA_LONG, JAVA_LONG);
        memPoolGetAttribute = library.function("cuMemPoolGetAttribute", JAVA_LONG, JAVA_INT, ADDRESS);
        memPoolSetAttribute = library.function("cuMemPoolSetAttribute", JAVA_LONG, JAVA_INT, ADDRESS);
        memPoolTrimTo = library.function("cuMemPoolTrimTo", JAVA_LONG, JAVA_LONG);
        memHostAlloc = library.function("cuMemHostAlloc", ADDRESS, JAVA_LONG, JAVA_INT);
        memFreeHost = library.function("cuMemFreeHost", ADDRESS);
        memHostRegister = library.function("cuMemHostRegister_v2", ADDRESS, JAVA_LONG, JAVA_INT);
        memHostUnregister = library.function("cuMemHostUnregister", ADDRESS);
        pointerGetAttributes = library.function("cuPointerGetAttributes", JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG);
        memcpyHtoDAsync = library.function("cuMemcpyHtoDAsync_v2", JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);
        memcpyDtoHAsync = library.function("cuMemcpyDtoHAsync_v2", ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        memcpyDtoDAsync = library.function("cuMemcpyDtoDAsync_v2", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        memsetD8Async = library.function("cuMemsetD8Async", JAVA_LONG, JAVA_BYTE, JAVA_LONG, JAVA_LONG);
        streamCreate = library.function("cuStreamCreate", ADDRESS, JAVA_INT);
        streamDestroy = library.function("cuStreamDestroy_v2", JAVA_LONG);
        streamSynchronize = library.function("cuStreamSynchronize", JAVA_LONG);
        streamWaitEvent = library.function("cuStreamWaitEvent", JAVA_LONG, JAVA_LONG, JAVA_INT);
        eventCreate = library.function("cuEventCreate", ADDRESS, JAVA_INT);
        eventDestroy = library.function("cuEventDestroy_v2", JAVA_LONG);
        eventRecord = library.function("cuEventRecord", JAVA_LONG, JAVA_LONG);
        eventSynchronize = library.function("cuEventSynchronize", JAVA_LONG);
        eventElapsedTime = library.function("cuEventElapsedTime", ADDRESS, JAVA_LONG, JAVA_LONG);
        moduleLoadData = library.function("cuModuleLoadData", ADDRESS, ADDRESS);
        moduleUnload = library.function("cuModuleUnload", JAVA_LONG);
        moduleGetFunction = library.function("cuModuleGetFunction", ADDRESS, JAVA_LONG, ADDRESS);
        funcGetAttribute = library.function("cuFuncGetAttribute", ADDRESS, JAVA_INT, JAVA_LONG);
        funcSetAttribute = library.function("cuFuncSetAttribute", JAVA_LONG, JAVA_INT, JAVA_INT);
        funcGetParamInfo = library.function("cuFuncGetParamInfo", JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS);
        occupancyMaxActiveBlocks = library.function(
                "cuOccupancyMaxActiveBlocksPerMultiprocessor", ADDRESS, JAVA_LONG, JAVA_INT, JAVA_LONG);
        launchKernel = library.function("cuLaunchKernelEx", ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
    }

    /// Room for two longs that a function returns by address, the calling thread's until its next such call. A sort
    /// makes half a dozen of them, and native memory for each would take longer than most.
    static MemorySegment out() {
        return OUT.get();
    }

    /// The invocation of one function's handle.
    interface Call {
        int invoke() throws Throwable;
    }

    /// Calls a function of the driver and throws unless it succeeds.
    ///
    /// @param name the C name of the function
    void call(String name, Call call) {
        check(invoke(name, call), name);
    }

    /// Calls a native function and returns its result code.
    static int invoke(String name, Call call) {
        try {
            return call.invoke();
        } catch (Throwable e) {
            // The handle and its arguments do not fit, which is our mistake, not the driver's.
            throw new AssertionError("the call of " + name + " could not be made", e);
        }
    }

    /// Throws unless `result` is success.
    ///
    /// @param call the C name of the function that returned `result`
    void check(int result, String call) {
        if (result != 0) {
            throw new CudaException(
                    call + " failed with " + errorText(getErrorName, result) + " (" + result + "): "
                            + errorText(getErrorString, result) + ". " + advice(result),
                    result);
        }
    }

    private static String errorText(MethodHandle function, int result) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ADDRESS);
            int status = invoke("cuGetErrorName", () -> (int) function.invokeExact(result, out));
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
            case 100, 101 -> "Name a GPU that is there: 'samplesort info' lists them.";
            case 200, 209, 218, 222 ->
                "The kernels do not fit this driver or GPU: update the driver, or delete the kernel cache.";
            case 700, 702, 714, 715, 716, 717, 718, 719 ->
                "A kernel went wrong and the GPU's context of this process is lost: restart the process, and please report this.";
            case 712 -> "This memory is pinned already: it needs no registration.";
            case 803 -> "The NVIDIA driver is older than its library: reboot, or reinstall the driver.";
            default -> "See 'samplesort info' for what was found on this machine.";
        };
    }
}
