package io.samplesort.gpu.host;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Copies between host memory of any kind by C's `memcpy`, which is better tuned to the processor than
/// [MemorySegment#copyFrom].
final class HostCopy {
    /// `void* memcpy(void* dest, const void* src, size_t n)`, linked so that it accepts heap memory as well.
    private static final MethodHandle MEMCPY = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("memcpy"),
                    FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG),
                    Linker.Option.critical(true));

    private HostCopy() {}

    /// Copies the first bytes. The garbage collector waits meanwhile, so they should be a few MiB at most.
    ///
    /// @throws IllegalStateException if memory belongs to a closed arena
    /// @throws WrongThreadException  if memory is confined to another thread
    static void copy(MemorySegment from, MemorySegment to, long bytes) {
        try {
            MEMCPY.invokeExact(to, from, bytes);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("memcpy could not be called", e);
        }
    }
}
