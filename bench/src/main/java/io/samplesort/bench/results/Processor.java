package io.samplesort.bench.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What the system says about the processor. Rates of the CPU mean little without it: the same sort may take five times
/// as long on a processor with another set of instructions.
final class Processor {
    private Processor() {}

    /// Returns the name of the first processor with its family and model, as far as they are known.
    ///
    /// @param cpuInfo the file in which Linux describes its processors; other systems have none
    static String describe(Path cpuInfo) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String line : linesOf(cpuInfo)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.putIfAbsent(
                        line.substring(0, colon).strip(),
                        line.substring(colon + 1).strip());
            }
        }
        String name = fields.get("model name");
        if (name == null) {
            return System.getProperty("os.arch");
        }
        String family = fields.get("cpu family");
        return family == null ? name : name + " (family " + family + ", model " + fields.get("model") + ")";
    }

    private static List<String> linesOf(Path cpuInfo) {
        try {
            return Files.isReadable(cpuInfo) ? Files.readAllLines(cpuInfo) : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }
}
