package io.samplesort.bench.start;

import com.fasterxml.jackson.jr.ob.JSON;
import io.samplesort.cuda.Cuda;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Map;

/// The process in which `bench start` times the initialisation of the driver, without any of our code.
final class DriverProbe {
    private DriverProbe() {}

    /// @param arguments the number of the GPU
    @SuppressWarnings("restricted")
    public static void main(String[] arguments) throws IOException {
        int ordinal = Integer.parseInt(arguments[0]);
        SymbolLookup driver =
                SymbolLookup.libraryLookup(System.getProperty(Cuda.LIBRARY_PROPERTY, "libcuda.so.1"), Arena.global());
        // CUresult cuDriverGetVersion(int* version)
        MethodHandle version = function(driver, "cuDriverGetVersion", ValueLayout.ADDRESS);
        // CUresult cuInit(unsigned int flags)
        MethodHandle init = function(driver, "cuInit", ValueLayout.JAVA_INT);
        // CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device)
        MethodHandle retain = function(driver, "cuDevicePrimaryCtxRetain", ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
        MemorySegment out = Arena.global().allocate(ValueLayout.JAVA_LONG);
        // This call needs no initialised driver. It loads what Java needs for calls.
        call(version, out);
        long start = System.nanoTime();
        call(init, 0);
        call(retain, out, ordinal);
        double millis = (System.nanoTime() - start) * 1e-6;
        System.out.println(JSON.std.asString(Map.of(StartStep.DRIVER.key(), millis)));
    }

    private static MethodHandle function(SymbolLookup library, String name, MemoryLayout... arguments) {
        return Linker.nativeLinker()
                .downcallHandle(library.findOrThrow(name), FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments));
    }

    private static void call(MethodHandle function, Object... arguments) {
        int result;
        try {
            result = (int) function.invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw new AssertionError("the driver could not be called", e);
        }
        if (result != 0) {
            throw new IllegalStateException("the driver could not be initialised: CUresult " + result);
        }
    }
}
