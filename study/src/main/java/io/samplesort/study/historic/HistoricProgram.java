package io.samplesort.study.historic;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.CudaModule;
import io.samplesort.cuda.Kernel;
import io.samplesort.cuda.Nvrtc;
import io.samplesort.cuda.Stream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/// The compiled kernels of one historic sort. All arguments of the kernels have 64 bits.
final class HistoricProgram implements AutoCloseable {
    private static final String CONFIG = "config.cuh";
    /// The shared memory that a block has without asking for more.
    static final int FREE_SHARED_BYTES = 48 << 10;

    private static final Pattern INCLUDE = Pattern.compile("#include \"([^\"]+)\"");

    /// Machine code by its source. Several sorts may share it, because some parameters only matter on the host.
    private static final Map<Request, MachineCode> COMPILED = new ConcurrentHashMap<>();

    private final CudaModule module;
    private final Map<String, Kernel> kernels = new HashMap<>();

    /// @param source a resource next to this class
    HistoricProgram(Context context, Source source) {
        module = CudaModule.load(context, source.compile(context.device().architecture()));
    }

    /// What is compiled.
    ///
    /// @param name      the name of the program's resource, such as `bbsort.cu`, which includes its headers itself
    /// @param element   the elements that it sorts
    /// @param constants its parameters, by their names in the program
    record Source(String name, HistoricElement element, Map<String, Integer> constants) {
        /// Compiles the source, or returns its machine code if it is compiled already. Several sources may be compiled
        /// at the same time.
        byte[] compile(String architecture) {
            return COMPILED.computeIfAbsent(new Request(this, architecture), request -> new MachineCode())
                    .of(this, architecture);
        }

        private byte[] compileAnew(String architecture) {
            Map<String, String> headers = new LinkedHashMap<>();
            headers.put(CONFIG, config());
            String program = resource(name);
            INCLUDE.matcher(program)
                    .results()
                    .map(include -> include.group(1))
                    .filter(header -> !header.equals(CONFIG))
                    .forEach(header -> headers.put(header, resource(header)));
            return Nvrtc.compile(
                    new Nvrtc.Program(name, program, headers),
                    List.of("--gpu-architecture=" + architecture, "--std=c++17", "--generate-line-info"));
        }

        private String config() {
            StringBuilder text = new StringBuilder("// Generated.\n#pragma once\n").append(element.declarations());
            constants.forEach((constant, value) -> text.append("constexpr unsigned int ")
                    .append(constant)
                    .append(" = ")
                    .append(value)
                    .append(";\n"));
            return text.toString();
        }

        private static String resource(String name) {
            try (InputStream in = HistoricProgram.class.getResourceAsStream(name)) {
                if (in == null) {
                    throw new IllegalStateException(
                            "the kernel source " + name + " is missing from the jar of the study");
                }
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read the kernel source " + name, e);
            }
        }
    }

    private record Request(Source source, String architecture) {}

    /// Machine code that the first thread that asks for it compiles, while others wait.
    private static final class MachineCode {
        private byte[] cubin;

        synchronized byte[] of(Source source, String architecture) {
            if (cubin == null) {
                cubin = source.compileAnew(architecture);
            }
            return cubin;
        }
    }

    /// Puts a launch on the stream.
    void launch(Stream stream, String name, long blocks, int threads, int sharedBytes, long... arguments) {
        Kernel kernel = kernels.computeIfAbsent(name, module::kernel);
        if (sharedBytes > FREE_SHARED_BYTES) {
            kernel.allowDynamicSharedBytes(sharedBytes);
        }
        for (long argument : arguments) {
            kernel.with(argument);
        }
        kernel.launch(stream, Math.toIntExact(blocks), threads, sharedBytes, Kernel.Mode.AFTER);
    }

    @Override
    public void close() {
        module.close();
    }
}
