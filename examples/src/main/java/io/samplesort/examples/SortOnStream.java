package io.samplesort.examples;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.types.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.Arrays;
import java.util.stream.Stream;

/// Sorts numbers that live in the memory of a GPU: once with a call that waits, and once on a CUDA stream of somebody
/// else, such as a library of linear algebra. The call returns at once then, and work that is put on the stream later
/// finds the numbers sorted.
///
/// Run it with `examples/run SortOnStream`. Without a GPU it says why there is none. With one it prints:
///
/// ```
/// waited: [-7, 0, 4, 25]
/// on a stream: [11, 12, 13, 14]
/// ```
public final class SortOnStream {
    public static void main(String[] arguments) throws Throwable {
        if (SampleSort.gpuUnavailableReason().isPresent()) {
            System.out.println(SampleSort.gpuUnavailableReason().get());
            return;
        }
        long[] numbers = {25, -7, 4, 0};
        try (Arena arena = Arena.ofConfined();
                Sorter sorter = SampleSort.onGpu().build(ElementType.LONG);
                DeviceMemory memory = DeviceMemory.allocate(
                        Device.gpu(0), MemorySegment.ofArray(numbers).byteSize())) {
            memory.copyFrom(MemorySegment.ofArray(numbers));
            sorter.sort(memory);
            memory.copyTo(MemorySegment.ofArray(numbers));
            System.out.println("waited: " + Arrays.toString(numbers));

            // This stands for the other library: it makes a stream in the primary context of the GPU.
            MemorySegment out = arena.allocate(JAVA_LONG);
            cuda("cuDevicePrimaryCtxRetain", out, 0);
            cuda("cuCtxPushCurrent_v2", out.get(JAVA_LONG, 0));
            cuda("cuStreamCreate", out, 1);
            long stream = out.get(JAVA_LONG, 0);

            memory.copyFrom(MemorySegment.ofArray(new long[] {14, 12, 13, 11}));
            sorter.sortAsync(memory, stream);
            cuda("cuStreamSynchronize", stream);
            memory.copyTo(MemorySegment.ofArray(numbers));
            System.out.println("on a stream: " + Arrays.toString(numbers));

            cuda("cuStreamDestroy_v2", stream);
            cuda("cuCtxPopCurrent_v2", out);
            cuda("cuDevicePrimaryCtxRelease_v2", 0);
        }
    }

    /// Calls a function of the CUDA driver, whose arguments are pointers, handles and ints.
    private static void cuda(String function, Object... arguments) throws Throwable {
        MemoryLayout[] types = Stream.of(arguments)
                .map(value -> value instanceof MemorySegment ? ADDRESS : value instanceof Long ? JAVA_LONG : JAVA_INT)
                .toArray(MemoryLayout[]::new);
        SymbolLookup driver = SymbolLookup.libraryLookup(
                System.getProperty("samplesort.cuda.library", "libcuda.so.1"), Arena.global());
        int code = (int) Linker.nativeLinker()
                .downcallHandle(driver.findOrThrow(function), FunctionDescriptor.of(JAVA_INT, types))
                .invokeWithArguments(arguments);
        if (code != 0) {
            throw new IllegalStateException(function + " failed with code " + code);
        }
    }
}
