package io.samplesort.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.gpu.cubins.ReadyKernels;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/// What is in an archive comes back as it went in, and what is damaged does not come back.
class ArchivedKernelsTest {
    private static final byte[] FIRST = {1, 2, 3, 4, 5};
    private static final byte[] SECOND = {6, 7, 8};

    private final Map<String, byte[]> files = new HashMap<>();

    @BeforeEach
    void makeArchive() throws IOException {
        ByteArrayOutputStream family = new ByteArrayOutputStream();
        try (XZOutputStream out = new XZOutputStream(family, new LZMA2Options(1))) {
            out.write(FIRST);
            out.write(SECOND);
        }
        files.put("sm_90/scatter-4.xz", family.toByteArray());
        ArchiveIndex index = new ArchiveIndex("13.1");
        index.put(7, new ArchiveIndex.Place("scatter-4", 0, FIRST.length, checksum(FIRST)));
        index.put(-7, new ArchiveIndex.Place("scatter-4", FIRST.length, SECOND.length, checksum(SECOND)));
        index.put(8, new ArchiveIndex.Place("scatter-8", 0, 1, 0));
        index.put(9, new ArchiveIndex.Place("scatter-4", 0, 1 << 30, 0));
        files.put("sm_90/index", index.toString().getBytes());
    }

    @Test
    void whatWentInComesBack() {
        ReadyKernels kernels = kernels();
        assertThat(kernels.compilerVersion("sm_90")).isEqualTo("13.1");
        assertThat(kernels.get("sm_90", 7)).isEqualTo(FIRST);
        assertThat(kernels.get("sm_90", -7)).isEqualTo(SECOND);
        assertThat(kernels.get("sm_90", 6)).isNull();
        assertThat(kernels.get("sm_90", 8)).as("of a file that is missing").isNull();
        assertThat(kernels.get("sm_90", 9)).as("longer than the file").isNull();
        assertThat(kernels.compilerVersion("sm_80")).isNull();
        assertThat(kernels.get("sm_80", 7)).isNull();
    }

    @Test
    void whatIsDamagedDoesNot() {
        SplittableRandom random = new SplittableRandom(5);
        Map<String, byte[]> good = Map.copyOf(files);
        for (int i = 0; i < 2000; i++) {
            String name = i % 2 == 0 ? "sm_90/index" : "sm_90/scatter-4.xz";
            byte[] bytes = good.get(name).clone();
            if (i % 3 == 0) {
                bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
            } else {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            files.putAll(good);
            files.put(name, bytes);
            assertThat(kernels().get("sm_90", 7)).isIn(FIRST, null);
            assertThat(kernels().get("sm_90", -7)).isIn(SECOND, null);
        }
    }

    @Test
    void anIndexIsReadAsItWasWritten() throws IOException {
        String text = new String(files.get("sm_90/index"));
        assertThat(ArchiveIndex.parse(text)).hasToString(text);
        for (String bad : List.of("", "something else", "NVRTC 13.1\n1 2 3", "NVRTC 13.1\nxyz a 1 1 1")) {
            assertThatThrownBy(() -> ArchiveIndex.parse(bad)).isInstanceOf(IOException.class);
        }
    }

    /// The name in the file of services is this class's.
    @Test
    void theEngineFindsThem() {
        assertThat(ServiceLoader.load(ReadyKernels.class).findFirst().orElseThrow())
                .isInstanceOf(ArchivedKernels.class);
    }

    private ReadyKernels kernels() {
        return new ArchivedKernels(name -> files.containsKey(name) ? new ByteArrayInputStream(files.get(name)) : null);
    }

    private static long checksum(byte[] bytes) {
        CRC32 checksum = new CRC32();
        checksum.update(bytes);
        return checksum.getValue();
    }
}
