package io.samplesort.bench.results;

import java.util.ArrayList;
import java.util.List;

/// Lists of element counts such as `2^16..2^28` (all powers of two between these), `2^20,2^24` or `1000000`.
public final class Sizes {
    private Sizes() {}

    /// @throws IllegalArgumentException if the text is not such a list
    public static List<Long> parse(String text) {
        List<Long> sizes = new ArrayList<>();
        for (String part : text.split(",")) {
            String[] range = part.strip().split("\\.\\.");
            long first = one(range[0]);
            long last = one(range[range.length - 1]);
            if (range.length > 2 || first < 1 || last < first) {
                throw new IllegalArgumentException("sizes '" + text + "': use 2^16..2^28, 2^20,2^24 or 1000000");
            }
            for (long size = first; size <= last; size *= 2) {
                sizes.add(size);
            }
        }
        return sizes;
    }

    /// Returns a text such as `2^20` or `1000000`.
    public static String text(long size) {
        return Long.bitCount(size) == 1 ? "2^" + Long.numberOfTrailingZeros(size) : Long.toString(size);
    }

    private static long one(String text) {
        try {
            return text.startsWith("2^") ? 1L << Integer.parseInt(text.substring(2)) : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("size '" + text + "': use 2^20 or 1000000", e);
        }
    }
}
