package io.samplesort.gpu.cubins;

import io.samplesort.cuda.CacheFolder;
import io.samplesort.cuda.CudaDevice;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.KernelSource;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.types.Tuning;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/// Tuning parameters that were measured on a GPU of this machine. Sorts on GPUs of the same model use them in place of
/// the defaults, which were measured on another model. They change how fast a sort is, never its result.
///
/// Each model has a text file: the model and the version of the kernels, a line for each kind of elements, and a
/// checksum. A file that is damaged, or made for another GPU or other kernels, is ignored, and so is a line that does
/// not fit the GPU: [#problem] says so, and the defaults are used.
public final class KeptTunings {
    /// The system property that is `false` if only the defaults are to be used.
    public static final String PROPERTY = "samplesort.tuned";

    private static final KeptTunings NONE = new KeptTunings(Map.of(), null);
    private static final long MOST_BYTES = 1 << 16;
    private static final String CHECKSUM = "checksum ";

    /// What replaces default parameters, by kinds of elements.
    private final Map<String, String> overrides;

    private final String problem;

    private KeptTunings(Map<String, String> overrides, String problem) {
        this.overrides = overrides;
        this.problem = problem;
    }

    /// Returns what is kept for a GPU, which may be nothing.
    public static KeptTunings of(CudaDevice device) {
        Path file = file(device);
        if (file == null || !Boolean.parseBoolean(System.getProperty(PROPERTY, "true")) || !Files.isRegularFile(file)) {
            return NONE;
        }
        try {
            return Files.size(file) > MOST_BYTES
                    ? new KeptTunings(Map.of(), file + " is too large")
                    : read(Files.readString(file), file, device);
        } catch (IOException e) {
            return new KeptTunings(Map.of(), file + " cannot be read: " + e.getMessage());
        }
    }

    private static KeptTunings read(String text, Path file, CudaDevice device) {
        int end = text.lastIndexOf(CHECKSUM);
        if (end < 0 || !text.substring(end).equals(checksumLine(text.substring(0, end)))) {
            return new KeptTunings(Map.of(), file + " is damaged");
        }
        String header = header(device);
        if (!text.startsWith(header)) {
            return new KeptTunings(Map.of(), file + " is for another GPU or for the kernels of another version");
        }
        Map<String, String> overrides = new LinkedHashMap<>();
        for (String line : text.substring(header.length(), end).split("\n")) {
            int space = line.indexOf(' ');
            if (space > 0) {
                overrides.put(line.substring(0, space), line.substring(space + 1));
            }
        }
        return new KeptTunings(overrides, null);
    }

    /// Returns the kind of elements that a tuning is for: the sizes of keys and payloads in bytes.
    ///
    /// @param payloadBytes 0 if there is no payload
    /// @param keepsOrder   whether equal elements keep their order while they are moved
    public static String kind(int keyBytes, int payloadBytes, boolean keepsOrder) {
        return keyBytes + (payloadBytes == 0 ? "" : "+" + payloadBytes) + (keepsOrder ? "-stable" : "");
    }

    /// Returns the kept tuning for elements on a GPU; null if there is none, or it does not fit the GPU.
    ///
    /// @param byDefault what is used otherwise
    public Tuning tuning(KernelElement element, Tuning byDefault, CudaDevice device) {
        String kept = overrides.get(kind(element.keyBytes(), element.payloadBytes(), element.keepsOrder()));
        if (kept == null) {
            return null;
        }
        try {
            Tuning tuning = byDefault.with(kept);
            new SharedMemory(element, tuning).check(device.maxSharedBytesPerBlock());
            return tuning;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /// Returns what replaces default parameters, by kinds of elements.
    public Map<String, String> overrides() {
        return overrides;
    }

    /// Says why an existing file is ignored; empty if it is used, or there is none.
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    /// Returns whether any tuning is kept for any GPU.
    public static boolean areThere() {
        Path folder = CacheFolder.resolve("tunings");
        return folder != null && Files.isDirectory(folder);
    }

    /// Returns the file of the tunings for a GPU; null if this user has no cache folder.
    public static Path file(CudaDevice device) {
        Path folder = CacheFolder.resolve("tunings");
        return folder == null
                ? null
                : folder.resolve(device.name().replaceAll("[^A-Za-z0-9]+", "-") + "-" + device.architecture() + ".txt");
    }

    /// Keeps tunings for a GPU, in place of all that were kept for it.
    ///
    /// @param overrides what replaces default parameters, in the form that [Tuning#with] reads, by kinds of elements
    /// @throws IOException if they cannot be written; in that case those before are still kept
    public static void keep(CudaDevice device, Map<String, String> overrides) throws IOException {
        Path file = file(device);
        if (file == null) {
            throw new IOException("this user has no home folder: name a folder with -D" + CacheFolder.PROPERTY);
        }
        if (!CacheFolder.prepare(file.getParent())) {
            throw new IOException(file.getParent() + " cannot be written, or others can write to it, too");
        }
        StringBuilder text = new StringBuilder(header(device));
        overrides.forEach(
                (kind, values) -> text.append(kind).append(' ').append(values).append('\n'));
        text.append(checksumLine(text.toString()));
        CacheFolder.replace(file, text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /// Forgets what is kept for a GPU.
    ///
    /// @return whether any were kept
    public static boolean forget(CudaDevice device) throws IOException {
        Path file = file(device);
        return file != null && Files.deleteIfExists(file);
    }

    private static String header(CudaDevice device) {
        return "tuning of samplesort for " + device.name() + ", " + device.architecture() + ", "
                + device.multiprocessorCount() + " multiprocessors\nkernels "
                + HexFormat.of().toHexDigits(KernelSource.checksum()) + "\n";
    }

    private static String checksumLine(String text) {
        CRC32C checksum = new CRC32C();
        checksum.update(text.getBytes(StandardCharsets.UTF_8));
        return CHECKSUM + HexFormat.of().toHexDigits((int) checksum.getValue()) + "\n";
    }
}
