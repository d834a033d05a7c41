package io.samplesort.bench.select;

import io.samplesort.testkit.KeyType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// NumPy's partition of as many random keys of its own, in a process of its own, on one thread as always. It puts the
/// first k keys before the others, in any order. Where NumPy is not installed, there are no results.
final class NumPyPartition {
    private NumPyPartition() {}

    static void measure(
            KeyType key, int count, List<Long> counts, int repetitions, Consumer<Map<String, Object>> results) {
        String text = key.toString();
        List<Long> ranks =
                new ArrayList<>(counts.stream().filter(k -> k < count).toList());
        ranks.add(count / 2L);
        List<String> command =
                new ArrayList<>(List.of("python3", "-c", program(), text.charAt(0) + "" + key.byteSize(), count + ""));
        command.add(Integer.toString(repetitions));
        ranks.forEach(rank -> command.add(rank.toString()));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            BufferedReader lines = process.inputReader(StandardCharsets.US_ASCII);
            for (int i = 0; i < ranks.size(); i++) {
                String line = lines.readLine();
                if (line == null) {
                    return;
                }
                double[] millis = Arrays.stream(line.split(" "))
                        .mapToDouble(Double::parseDouble)
                        .toArray();
                String what = i == ranks.size() - 1 ? "middle" : Selection.first(ranks.get(i));
                Map<String, Object> result = new Selection("numpy", key, count, what).result(millis, true);
                result.put("threads", 1);
                results.accept(result);
            }
        } catch (IOException e) {
            System.err.println("NumPy is left out: " + e.getMessage());
        }
    }

    private static String program() {
        try (InputStream in = NumPyPartition.class.getResourceAsStream("numpy_partition.py")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
