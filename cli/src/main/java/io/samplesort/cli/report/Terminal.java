package io.samplesort.cli.report;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// The terminal behind the error stream, if there is one.
///
/// Java tells only whether its input and output are a terminal, and users send the output to files.
final class Terminal {
    private static final int ERROR_STREAM = 2;
    private static final int USUAL_COLUMNS = 80;

    /// `struct winsize`: rows, columns, and two more, each of two bytes.
    private static final long WINDOW_BYTES = 8;

    private static final long COLUMNS_OFFSET = 2;

    private Terminal() {}

    /// Returns how many characters fit in a line; 0 if the error stream is no terminal, or one that cannot go back to
    /// the beginning of a line.
    static int columns() {
        String type = System.getenv("TERM");
        return type == null || type.isEmpty() || type.equals("dumb") ? 0 : windowColumns();
    }

    // int ioctl(int fd, unsigned long request, ...)
    @SuppressWarnings("restricted")
    private static int windowColumns() {
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
            if ((int) call.invokeExact(ERROR_STREAM, windowRequest, window) != 0) {
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
