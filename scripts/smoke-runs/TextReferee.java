import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Says whether a text was sorted rightly. GNU's sort says what is right.
final class TextReferee {
    private TextReferee() {}

    /// Options of samplesort, and what GNU's programs do in their place behind a sort.
    private static final Map<String, String> PIPES = Map.of(
            "--by-count", "uniq -c | sort -rn",
            "--first=10", "sed -n 1,10p",
            "--first=1000", "sed -n 1,1000p",
            "--last=7", "tail -n 7");

    /// Sorts files with GNU's sort.
    static void sort(Path target, List<String> options, List<Path> inputs) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(options);
        inputs.forEach(input -> words.add(input.toString()));
        if (!isPiped(options)) {
            words.addAll(List.of("-o", target.toString()));
        }
        int exit = isPiped(options) ? piped(target, words) : gnu(words);
        if (exit != 0) {
            throw new IOException("GNU's sort ends with " + exit + ": " + words);
        }
    }

    /// Returns whether an option is one that GNU's sort does not have.
    static boolean isPiped(List<String> options) {
        return options.stream().anyMatch(PIPES::containsKey);
    }

    private static int piped(Path target, List<String> arguments) throws IOException, InterruptedException {
        StringBuilder script = new StringBuilder("set -o pipefail; export LC_ALL=C; sort \"$@\"");
        List<String> words = new ArrayList<>();
        for (String argument : arguments) {
            if (PIPES.containsKey(argument)) {
                script.append(" | ").append(PIPES.get(argument));
            } else {
                words.add(argument);
            }
        }
        words.addAll(0, List.of("bash", "-c", script.toString(), "bash"));
        return new ProcessBuilder(words).redirectOutput(target.toFile()).start().waitFor();
    }

    private static int gnu(List<String> arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("sort"));
        words.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(words).inheritIO();
        builder.environment().put("LC_ALL", "C");
        return builder.start().waitFor();
    }

    /// Compares a result with the right one; returns what is wrong, or null.
    static String compare(Path result, Path right) throws IOException {
        if (!Files.exists(result)) {
            return "there is no result";
        }
        long mismatch = Files.mismatch(result, right);
        return mismatch < 0
                ? null
                : "the result has " + Files.size(result) + " bytes instead of " + Files.size(right)
                        + ", and differs from byte " + mismatch + " on";
    }

    /// Checks a result that nobody has sorted before: its order with GNU's sort, and its lines by their sum.
    ///
    /// @param options of a sort that keeps all lines, and orders all that differ
    /// @param sums    of the inputs
    static String check(Path result, List<String> options, Sum sums) throws IOException, InterruptedException {
        if (!Files.exists(result)) {
            return "there is no result";
        }
        Sum found = Sum.of(result);
        if (!found.equals(sums)) {
            return "the result has " + found + " instead of " + sums;
        }
        List<String> words = new ArrayList<>(List.of("-C", result.toString()));
        words.addAll(options);
        return gnu(words) == 0 ? null : "the lines are not in order";
    }

    /// The lines of a text in any order.
    ///
    /// @param bytes with an end for each line
    /// @param hash  the sum of a hash of each line
    record Sum(long lines, long bytes, long hash) {
        private static final int BUFFER_BYTES = 1 << 20;
        private static final long PRIME = 0x100000001b3L;

        static Sum of(Path file) throws IOException {
            long lines = 0;
            long bytes = 0;
            long sum = 0;
            long hash = 0;
            boolean hasBegun = false;
            byte[] buffer = new byte[BUFFER_BYTES];
            try (InputStream input = Files.newInputStream(file)) {
                for (int read; (read = input.read(buffer)) > 0; ) {
                    bytes += read;
                    for (int i = 0; i < read; i++) {
                        if (buffer[i] == '\n') {
                            sum += mixed(hash);
                            lines++;
                            hash = 0;
                            hasBegun = false;
                        } else {
                            hash = (hash ^ (buffer[i] & 0xff)) * PRIME;
                            hasBegun = true;
                        }
                    }
                }
            }
            return hasBegun ? new Sum(lines + 1, bytes + 1, sum + mixed(hash)) : new Sum(lines, bytes, sum);
        }

        private static long mixed(long hash) {
            long mixed = (hash ^ hash >>> 32) * 0x9e3779b97f4a7c15L;
            return mixed ^ mixed >>> 29;
        }

        Sum plus(Sum other) {
            return new Sum(lines + other.lines, bytes + other.bytes, hash + other.hash);
        }

        @Override
        public String toString() {
            return lines + " lines, " + bytes + " bytes and the sum " + Long.toHexString(hash);
        }
    }
}
