package io.samplesort.cli.values;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads sizes as GNU's sort has them, such as `1000` (KiB), `1000b` (bytes), `512M` and `50%` of the memory.
public final class BufferSizeConverter extends TextConverter<Long> {
    private static final Pattern SIZE = Pattern.compile("\\s*\\+?(\\d+)([bkKmMgGtTPEZY%]?)");
    private static final String UNITS = "bKMGTPEZY";
    private static final int PERCENT = 100;
    private static final int KIBI_SHIFT = 10;

    /// Java's greatest heap is usually the memory divided by this.
    private static final int USUAL_HEAP_SHARE = 4;

    public BufferSizeConverter() {
        super(BufferSizeConverter::parse);
    }

    private static Long parse(String text) {
        Matcher matcher = SIZE.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("size '" + text + "': write it as in 512M, 4G, 1000b (bytes) or 50%");
        }
        BigInteger number = new BigInteger(matcher.group(1));
        String unit = matcher.group(2).isEmpty() ? "K" : matcher.group(2);
        BigInteger bytes;
        if (unit.equals("%")) {
            bytes = number.multiply(BigInteger.valueOf(memoryOfSystem())).divide(BigInteger.valueOf(PERCENT));
        } else {
            int power = UNITS.indexOf("kmgt".contains(unit) ? unit.toUpperCase(Locale.ROOT) : unit);
            bytes = number.shiftLeft(KIBI_SHIFT * power);
        }
        // As in GNU's sort, 0 asks for as little as possible.
        return bytes.max(BigInteger.ONE)
                .min(BigInteger.valueOf(Long.MAX_VALUE / 4))
                .longValueExact();
    }

    /// Returns how much memory the machine has; on systems other than Linux, what Java's own heap suggests.
    private static long memoryOfSystem() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
                if (line.startsWith("MemTotal:")) {
                    return Long.parseLong(line.replaceAll("\\D", "")) << KIBI_SHIFT;
                }
            }
        } catch (IOException e) {
            // This is another system.
        }
        return USUAL_HEAP_SHARE * Runtime.getRuntime().maxMemory();
    }
}
