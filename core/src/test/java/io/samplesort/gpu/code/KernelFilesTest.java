package io.samplesort.gpu.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.samplesort.ContractTypes;
import io.samplesort.RecordCase;
import io.samplesort.cuda.Nvrtc;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.Tuning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Each file of the kernels includes what it uses, so it compiles alone: with NVRTC, and with the emulator's compiler.
@Tag("nvrtc")
@Tag("emulated")
@ExtendWith(GpuEnvironment.class)
class KernelFilesTest {
    private static final Path FOLDER = Path.of("src/main/resources/io/samplesort/gpu");
    private static final Pattern INCLUDE = Pattern.compile("#include \"(.*)\"");

    /// Functions that are no kernels have no bounds of their launches. The emulated GPU looks for shared memory that
    /// belongs to the whole program.
    private static final String START = """
            #define __launch_bounds__(...)
            extern __shared__ unsigned char shared_memory[];
            """;

    /// All files of a sort or of rows, by name. Some have one meaning where equal elements keep their order, and
    /// another elsewhere; `placed_keys.cuh` has a meaning in the first kind of sorts alone, which therefore comes
    /// first.
    private static Stream<Map<String, String>> variants() {
        return Stream.concat(
                Stream.of(
                                element(KeyType.U64, KeyType.U64, true),
                                element(KeyType.U32, null, false),
                                records(),
                                element(KeyType.U8, null, false),
                                element(KeyType.U16, KeyType.U32, false))
                        .map(element -> KernelSource.programs(
                                        element,
                                        Tuning.defaultFor(
                                                element.keyBytes(),
                                                element.payloadBytes(),
                                                element.keepsOrder(),
                                                "sm_90"))
                                .values())
                        .map(KernelFilesTest::files),
                Stream.of(RowProgram.values()).map(rows -> files(List.of(rows.source()))));
    }

    /// These are sorted by index, and have buckets with few different numbers.
    private static KernelElement records() {
        RecordCase records = RecordCase.named("price, then id").getFirst();
        return KernelElement.of(records.type(), List.of(), records.order(), true);
    }

    private static KernelElement element(KeyType key, KeyType payload, boolean isStable) {
        List<ElementType> payloads = payload == null ? List.of() : List.of(ContractTypes.elementType(payload));
        return KernelElement.of(ContractTypes.elementType(key), payloads, Order.unsigned(), isStable);
    }

    private static Map<String, String> files(Collection<Nvrtc.Program> programs) {
        Map<String, String> files = new LinkedHashMap<>();
        programs.forEach(program -> files.putAll(program.headers()));
        files.remove(HostAgreement.FILE);
        return files;
    }

    @Test
    void eachFileCompilesAlone() throws IOException {
        Set<String> compiled = new TreeSet<>();
        for (Map<String, String> files : variants().toList()) {
            StringBuilder source = new StringBuilder(START);
            for (String file : files.keySet()) {
                if (!file.equals(KernelSource.CONFIG_FILE) && compiled.add(file)) {
                    source.append("namespace alone_").append(compiled.size()).append(" {\n");
                    addTo(source, files, file, new HashSet<>());
                    source.append("}\n");
                }
            }
            Nvrtc.Program program = new Nvrtc.Program("alone.cu", source.toString(), Map.of());
            assertThatCode(() -> Nvrtc.compile(program, KernelSource.plainOptions("sm_90")))
                    .doesNotThrowAnyException();
        }
        assertThat(compiled).containsExactlyInAnyOrderElementsOf(allFiles());
    }

    /// Adds what the compiler sees of a file and of those that it includes. In a namespace nothing is seen of the files
    /// of another, so one program has them all, which takes a tenth of the time. Its kernels are functions that are
    /// never called, so no code is made of them.
    private static void addTo(StringBuilder source, Map<String, String> files, String file, Set<String> added) {
        if (!added.add(file)) {
            return;
        }
        assertThat(files).containsKey(file);
        List<String> lines = files.get(file).lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            Matcher include = INCLUDE.matcher(lines.get(i));
            if (include.matches()) {
                addTo(source, files, include.group(1), added);
                source.append("#line ").append(i + 2).append(" \"").append(file).append("\"\n");
            } else if (!lines.get(i).startsWith("#pragma once")) {
                source.append(lines.get(i).replace("extern \"C\" __global__", "inline __device__"))
                        .append('\n');
            }
        }
    }

    private static Set<String> allFiles() throws IOException {
        try (Stream<Path> files = Files.walk(FOLDER)) {
            return new TreeSet<>(files.filter(Files::isRegularFile)
                    .map(file -> FOLDER.relativize(file).toString().replace('\\', '/'))
                    .toList());
        }
    }
}
