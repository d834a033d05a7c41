package io.samplesort.cpu.leaf;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// A file of Linux that lies in memory and in no folder, so that no folder's options keep it from being executed.
final class MemoryFile {
    private static final int CLOSE_ON_EXEC = 1;

    private MemoryFile() {}

    /// Makes a loader load a file with this content. It stays open as long as the process lives: Java knows a library
    /// by the name of its file, which here is the number of a descriptor.
    ///
    /// @throws IOException if the system cannot make such a file
    static void load(byte[] content, KernelFile.Loader loader) throws IOException {
        File file = new File("/proc/self/fd/" + create());
        try (FileOutputStream out = new FileOutputStream(file)) {
            out.write(content);
        }
        loader.load(file);
    }

    /// Returns the descriptor of a new file.
    private static int create() throws IOException {
        Linker linker = Linker.nativeLinker();
        MethodHandle create = linker.downcallHandle(
                linker.defaultLookup()
                        .find("memfd_create")
                        .orElseThrow(() -> new IOException("the system has no such files")),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = (int) create.invokeExact(arena.allocateFrom("samplesort-cpu"), CLOSE_ON_EXEC);
            if (descriptor < 0) {
                throw new IOException("the system makes no such file");
            }
            return descriptor;
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw NativeFunctions.unchecked(e);
        }
    }
}
