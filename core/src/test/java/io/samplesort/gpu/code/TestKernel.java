package io.samplesort.gpu.code;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.CudaModule;
import io.samplesort.cuda.Kernel;
import io.samplesort.cuda.Nvrtc;
import io.samplesort.cuda.Stream;
import io.samplesort.types.Tuning;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/// A kernel of a test, compiled with the headers of a program of a sort, and what it is launched with.
final class TestKernel implements AutoCloseable {
    private final Context context = Context.retainPrimary(0);
    private final CudaModule module;
    private final Stream stream;
    private final Kernel kernel;

    /// @param file its file in the folder of this class
    /// @param name of the kernel
    /// @param like the program of `element` that has the headers
    TestKernel(String file, String name, KernelElement element, Tuning tuning, KernelProgram like) {
        Map<String, String> headers =
                new HashMap<>(KernelSource.programs(element, tuning).get(like).headers());
        // The emulated GPU makes a kernel of each that a header has.
        headers.keySet().removeIf(header -> header.startsWith("phases/"));
        try (Context.Scope scope = context.enter()) {
            module = CudaModule.load(
                    context,
                    Nvrtc.compile(
                            new Nvrtc.Program(file, source(file), headers),
                            KernelSource.options(context.device().architecture())));
            stream = Stream.create(context);
            kernel = module.kernel(name);
        }
    }

    private static String source(String file) {
        try (InputStream in = TestKernel.class.getResourceAsStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Context context() {
        return context;
    }

    Stream stream() {
        return stream;
    }

    Kernel kernel() {
        return kernel;
    }

    @Override
    public void close() {
        try (Context.Scope scope = context.enter()) {
            stream.close();
            module.close();
        }
        context.close();
    }
}
