package io.samplesort.cpu.leaf;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/// Functions of the kernels' library that are called through the foreign function interface. They also work on heap
/// memory; the virtual machine cannot collect garbage during a call.
final class NativeFunctions {
    private NativeFunctions() {}

    /// Returns a function of the library, which has to be loaded.
    static MethodHandle link(String name, FunctionDescriptor function) {
        return Linker.nativeLinker()
                .downcallHandle(
                        SymbolLookup.loaderLookup().find(name).orElseThrow(), function, Linker.Option.critical(true));
    }

    /// Returns what a call has thrown as an unchecked exception: native functions throw no checked ones.
    static RuntimeException unchecked(Throwable thrown) {
        if (thrown instanceof RuntimeException e) {
            return e;
        }
        if (thrown instanceof Error e) {
            throw e;
        }
        throw new AssertionError("a native function throws no checked exception", thrown);
    }
}
