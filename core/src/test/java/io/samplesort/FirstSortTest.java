package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The first sort of a process takes tens of milliseconds more than later ones, and nearly all of that goes to classes
/// that Java loads. So this looks which these are.
class FirstSortTest {
    private static final int COUNT = 1 << 20;

    /// What must not be loaded for an array on a machine without a GPU: memory segments and layouts with all that they
    /// link (20 ms), what Java makes to compare records (20 ms) and to switch over classes (10 ms), and pools of
    /// threads (10 ms). All together would take more than the 40 ms that a first sort may take longer than a later
    /// one. The first lambda takes 5 to 15 of these. The interfaces that signatures name do no harm.
    private static final List<String> UNWANTED = List.of(
            "jdk.internal.foreign.",
            "java.lang.runtime.ObjectMethods",
            "java.lang.runtime.SwitchBootstraps",
            "java.lang.invoke.StringConcatFactory",
            "java.util.concurrent.ForkJoinPool",
            "java.util.concurrent.ThreadPoolExecutor");

    @Test
    void anArrayTakesNoSegmentsAndNoPools(@TempDir Path folder) throws Exception {
        Path cpuInfo = Path.of("/proc/cpuinfo");
        assumeTrue(Files.isReadable(cpuInfo) && Files.readString(cpuInfo).contains(" avx512vl "), "needs AVX-512");
        for (String array : List.of("longs", "ints", "doubles")) {
            Path log = folder.resolve(array);
            String printed = ChildJvm.run(
                    List.of("--enable-native-access=ALL-UNNAMED", "-Xlog:class+load:file=" + log),
                    FirstSortTest.class,
                    array);
            assumeTrue(printed.startsWith("no NVIDIA driver"), "the driver's library is here");
            List<String> classes = Files.readAllLines(log);
            int first = indexOf(classes, "io.samplesort.SampleSort ");
            int last = indexOf(classes, "io.samplesort.types.SortReport ");
            assertThat(last).isGreaterThan(first);
            assertThat(classes.subList(first, last))
                    .as("classes of the first sort of %s", array)
                    .noneMatch(line -> UNWANTED.stream().anyMatch(line::contains));
        }
    }

    private static int indexOf(List<String> lines, String text) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(text)) {
                return i;
            }
        }
        throw new AssertionError("no class " + text);
    }

    public static void main(String[] arguments) {
        String reason = switch (arguments[0]) {
            case "longs" -> SampleSort.sort(new long[COUNT]).fallbackReason().orElse("");
            case "ints" -> SampleSort.sort(mixed()).fallbackReason().orElse("");
            default -> SampleSort.sort(new double[COUNT]).fallbackReason().orElse("");
        };
        // Where there is a GPU, there is no reason.
        System.out.println(reason.substring(Math.min(reason.length(), reason.indexOf(": ") + 2)));
    }

    private static int[] mixed() {
        int[] keys = new int[COUNT];
        for (int i = 0; i < COUNT; i++) {
            keys[i] = i * 0x9e3779b1;
        }
        return keys;
    }
}
