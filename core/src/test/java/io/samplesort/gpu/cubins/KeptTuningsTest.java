package io.samplesort.gpu.cubins;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cuda.CacheFolder;
import io.samplesort.cuda.CudaDevice;
import io.samplesort.gpu.code.FittingTuning;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.Tuning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptTuningsTest {
    private static final CudaDevice GPU = gpu(0, 108);
    private static final KernelElement LONGS = KernelElement.of(ElementType.LONG, List.of(), Order.natural(), false);
    private static final Tuning DEFAULT = FittingTuning.defaultFor(LONGS, "sm_80", 163 << 10);

    @TempDir
    private Path folder;

    private String cacheBefore;

    @BeforeEach
    void useAnEmptyCache() {
        cacheBefore = System.setProperty(CacheFolder.PROPERTY, folder.toString());
    }

    @AfterEach
    void useTheCacheFromBefore() {
        System.clearProperty(KeptTunings.PROPERTY);
        if (cacheBefore == null) {
            System.clearProperty(CacheFolder.PROPERTY);
        } else {
            System.setProperty(CacheFolder.PROPERTY, cacheBefore);
        }
    }

    private static CudaDevice gpu(int ordinal, int multiprocessors) {
        return new CudaDevice(
                ordinal, "A GPU / 80 GB", 8, 0, multiprocessors, 163 << 10, 164 << 10, 1 << 16, 80L << 30, true);
    }

    private static Tuning kept(CudaDevice gpu) {
        return KeptTunings.of(gpu).tuning(LONGS, DEFAULT, gpu);
    }

    @Test
    void whatIsKeptReplacesTheDefaultsOfItsKindAlone() throws IOException {
        assertThat(kept(GPU)).isNull();
        assertThat(KeptTunings.areThere()).isFalse();
        KeptTunings.keep(GPU, Map.of("8", "mergeBuffers=1,bucketTarget=1024"));
        assertThat(kept(GPU)).isEqualTo(DEFAULT.with("mergeBuffers=1,bucketTarget=1024"));
        assertThat(KeptTunings.areThere()).isTrue();
        assertThat(KeptTunings.of(GPU).problem()).isEmpty();
        KernelElement ints = KernelElement.of(ElementType.INT, List.of(), Order.natural(), false);
        assertThat(KeptTunings.of(GPU).tuning(ints, DEFAULT, GPU)).isNull();
        KernelElement pairs = KernelElement.of(ElementType.LONG, List.of(ElementType.LONG), Order.natural(), true);
        assertThat(KeptTunings.of(GPU).tuning(pairs, DEFAULT, GPU)).isNull();

        KeptTunings.keep(GPU, Map.of("8+8-stable", "mergeBuffers=1"));
        assertThat(kept(GPU)).isNull();
        assertThat(KeptTunings.of(GPU).tuning(pairs, DEFAULT, GPU)).isEqualTo(DEFAULT.with("mergeBuffers=1"));
        try (Stream<Path> files = Files.list(folder.resolve("tunings"))) {
            assertThat(files).containsExactly(KeptTunings.file(GPU));
        }
        assertThat(KeptTunings.forget(GPU)).isTrue();
        assertThat(KeptTunings.forget(GPU)).isFalse();
        assertThat(KeptTunings.of(GPU).overrides()).isEmpty();
    }

    @Test
    void theyCanBeTurnedOff() throws IOException {
        KeptTunings.keep(GPU, Map.of("8", "mergeBuffers=1"));
        System.setProperty(KeptTunings.PROPERTY, "false");
        assertThat(kept(GPU)).isNull();
    }

    @Test
    void aDamagedFileCountsForNothing() throws IOException {
        KeptTunings.keep(GPU, Map.of("8", "mergeBuffers=1"));
        Path file = KeptTunings.file(GPU);
        String whole = Files.readString(file);
        for (String damaged : List.of(
                "",
                "\0".repeat(100),
                whole.substring(0, whole.length() / 2),
                whole.substring(0, whole.length() - 2),
                whole + whole,
                whole.replace("mergeBuffers=1", "mergeBuffers=2"))) {
            Files.writeString(file, damaged);
            assertThat(kept(GPU)).as(damaged).isNull();
            assertThat(KeptTunings.of(GPU).problem()).as(damaged).hasValue(file + " is damaged");
        }
        Files.write(file, new byte[1 << 20]);
        assertThat(KeptTunings.of(GPU).problem()).hasValue(file + " is too large");
        Files.writeString(file, whole);
        assertThat(kept(GPU)).isNotNull();
    }

    @Test
    void aFileForAnotherGpuCountsForNothing() throws IOException {
        CudaDevice smaller = gpu(0, 98);
        KeptTunings.keep(GPU, Map.of("8", "mergeBuffers=1"));
        assertThat(KeptTunings.file(smaller)).isEqualTo(KeptTunings.file(GPU));
        assertThat(kept(smaller)).isNull();
        assertThat(KeptTunings.of(smaller).problem()).get().asString().contains("another GPU");
        CudaDevice second = gpu(1, 108);
        assertThat(kept(second)).isNotNull();
    }

    @Test
    void whatDoesNotFitTheGpuIsNotUsed() throws IOException {
        for (String overrides : List.of(
                "distributionThreads=1024,distributionItems=64",
                "mergeBuffers=3",
                "noSuchParameter=1",
                "mergeBuffers")) {
            KeptTunings.keep(GPU, Map.of("8", overrides));
            assertThat(kept(GPU)).as(overrides).isNull();
        }
    }
}
