package io.samplesort.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;

/// A shared library whose functions all return an int result code. It stays open for the life of the process.
final class NativeLibrary {
    private final String name;
    private final SymbolLookup symbols;

    private NativeLibrary(String name, SymbolLookup symbols) {
        this.name = name;
        this.symbols = symbols;
    }

    /// Opens a library.
    ///
    /// @param name a path, or a name that the system searches in its library path
    /// @throws IllegalArgumentException if there is no such library, or it cannot be loaded
    /// @throws IllegalCallerException   if native access is not allowed
    static NativeLibrary open(String name) {
        SymbolLookup symbols = name.contains("/") || name.contains("\\")
                ? SymbolLookup.libraryLookup(Path.of(name), Arena.global())
                : SymbolLookup.libraryLookup(name, Arena.global());
        return new NativeLibrary(name, symbols);
    }

    String name() {
        return name;
    }

    /// Returns a function `int name(arguments…)`. It is looked up at once, so that a library that is too old fails at
    /// the start.
    ///
    /// @param arity how many arguments the function takes
    /// @param check what to do about its result code
    /// @throws IllegalArgumentException if the library does not have it
    NativeFunction function(String function, int arity, NativeFunction.ResultCheck check) {
        MemorySegment address = symbols.find(function)
                .orElseThrow(() -> new IllegalArgumentException(name + " has no function " + function
                        + ": it is too old, install a newer NVIDIA driver or CUDA toolkit"));
        return new NativeFunction(function, address, arity, check);
    }
}
