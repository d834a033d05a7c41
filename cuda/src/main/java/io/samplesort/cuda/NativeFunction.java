package io.samplesort.cuda;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Collections;

/// A function of a [NativeLibrary], which returns an int result code and takes at most six ints, longs and pointers.
///
/// Whatever its prototype says, it is called with four longs, or with six if it takes more than four arguments. Java
/// makes machine code for every signature that it links, which takes milliseconds, and the driver's functions have some
/// thirty signatures; so all functions share one. This works with the calling conventions of the systems that CUDA runs
/// on (System V for x86-64, AAPCS64, Windows x64). There each of the first four arguments, unless it is a
/// floating-point number, has a register of eight bytes to itself. The function reads as much of the register as it
/// needs, and ignores the registers of arguments that it does not have.
final class NativeFunction {
    private static final int FEW = 4;
    private static final int MANY = 6;
    private static final Linker LINKER = Linker.nativeLinker();

    private final String name;
    private final MemorySegment function;
    private final int arity;
    private final ResultCheck check;
    /// Null until it is needed. Several threads may make it at once, since all make the same handle.
    private MethodHandle handle;

    /// What to do about a result code.
    interface ResultCheck {
        /// Throws unless `result` is success.
        ///
        /// @param call the C name of the function that returned `result`, and what it was asked to do
        void check(int result, String call);
    }

    /// @param arity how many arguments it takes
    NativeFunction(String name, MemorySegment function, int arity, ResultCheck check) {
        if (arity > MANY) {
            throw new IllegalArgumentException(name + " takes " + arity + " arguments");
        }
        this.name = name;
        this.function = function;
        this.arity = arity;
        this.check = check;
    }

    /// Makes the handle now, and not at the first call.
    MethodHandle link() {
        MethodHandle made = handle;
        if (made == null) {
            MemoryLayout[] longs = Collections.nCopies(arity <= FEW ? FEW : MANY, ValueLayout.JAVA_LONG)
                    .toArray(new MemoryLayout[0]);
            made = LINKER.downcallHandle(function, FunctionDescriptor.of(ValueLayout.JAVA_INT, longs));
            handle = made;
        }
        return made;
    }

    /// Returns the C name.
    String name() {
        return name;
    }

    /// Calls the function and throws unless it succeeds.
    ///
    /// @param arguments the arguments as [#invoke] takes them
    void call(long... arguments) {
        int result = invoke(arguments);
        if (result != 0) {
            check.check(result, name);
        }
    }

    /// Calls the function and returns its result code.
    ///
    /// @param arguments numbers, handles, device addresses, and the [#address] of native memory, which must stay
    ///                  allocated until the function returns
    int invoke(long... arguments) {
        if (arguments.length != arity) {
            throw new IllegalArgumentException(
                    name + " takes " + arity + " arguments and was given " + arguments.length);
        }
        MethodHandle target = link();
        long[] a = Arrays.copyOf(arguments, MANY);
        try {
            return arity <= FEW
                    ? (int) target.invokeExact(a[0], a[1], a[2], a[3])
                    : (int) target.invokeExact(a[0], a[1], a[2], a[3], a[4], a[5]);
        } catch (Throwable e) {
            // The handle and its arguments do not fit each other, which is a mistake in this class and not in the
            // native library.
            throw new AssertionError("the call of " + name + " could not be made", e);
        }
    }

    /// Returns the address of native memory, as an argument of [#invoke].
    ///
    /// @throws IllegalArgumentException if the memory is on Java's heap
    /// @throws IllegalStateException    if its arena is closed
    static long address(MemorySegment segment) {
        if (!segment.isNative()) {
            throw new IllegalArgumentException("a native function cannot use memory of Java's heap");
        }
        if (!segment.scope().isAlive()) {
            throw new IllegalStateException("a native function cannot use memory of a closed arena");
        }
        return segment.address();
    }
}
