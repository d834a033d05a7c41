package io.samplesort.cli.report;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// The terminals behind the streams that the command prints to, if there are any.
///
/// Java only tells whether both its input and its output are a terminal, but users often redirect one of them.
public final class Terminal {
    private static final int OUTPUT_STREAM = 1;
    private static final int ERROR_STREAM = 2;
    private static final int USUAL_COLUMNS = 80;

    /// `struct winsize`: rows, columns, and two more, each of two bytes.
    private static final long WINDOW_BYTES = 8;

    private static final long COLUMNS_OFFSET = 2;

    private Terminal() {}

    /// Returns how many characters fit in a line of the error stream; 0 if it is no terminal, or a terminal that cannot
    /// go back to the beginning of a line.
    static int columns() {
        String type = System.getenv("TERM");
        return type == null || type.isEmpty() || type.equals("dumb") ? 0 : windowColumns(ERROR_STREAM);
    }

    /// Returns whether the standard output is a terminal.
    public static boolean isOutput() {
        return windowColumns(OUTPUT_STREAM) > 0;
    }

    /// Returns how many characters fit in a line of the terminal behind a stream; 0 if there is none.
    // int ioctl(int fd, unsigned long request, ...)
    @SuppressWarnings("restricted")
    private static int windowColumns(int stream) {
        boolean isMac = System.getProperty("os.name").startsWith("Mac");
        long windowRequest = isMac ? 0x40087468L : 0x5413L;
        Linker linker = Linker.nativeLinker();
        MemorySegment ioctl = linker.defaultLookup().find("ioctl").orElse(MemorySegment.NULL);
        if (ioctl.equals(MemorySegment.NULL)) {
            return 0;
        }
        try (Arena arena = Arena.ofConfined()) {
            MethodHandle call = linker.downcallHandle(
                    ioctl,
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS),
                    Linker.Option.firstVariadicArg(2));
            MemorySegment window = arena.allocate(WINDOW_BYTES);
            if ((int) call.invokeExact(stream, windowRequest, window) != 0) {
                return 0;
            }
            int columns = Short.toUnsignedInt(window.get(ValueLayout.JAVA_SHORT, COLUMNS_OFFSET));
            return columns == 0 ? USUAL_COLUMNS : columns;
        } catch (Throwable e) {
            // A sort does not fail because its progress cannot be shown.
            return 0;
        }
    }
}
