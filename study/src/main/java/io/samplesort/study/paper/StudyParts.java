package io.samplesort.study.paper;

import io.samplesort.bench.results.Results;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The results of earlier runs of the study, and the environments in which they were measured.
///
/// @param results      the results of all runs, in their order
/// @param environments each environment once, by name
record StudyParts(List<Map<String, Object>> results, Map<String, Map<String, Object>> environments) {
    /// The keys of a result that describe its environment.
    private static final List<String> ENVIRONMENT = List.of(
            "gpu", "driver", "driverCuda", "nvrtc", "cub", "cpuThreads", "java", "commit", "date", "seed", "command");

    /// Reads files of results.
    ///
    /// @throws java.io.UncheckedIOException if one of the files cannot be read
    static StudyParts read(List<Path> files) {
        List<Map<String, Object>> results = new ArrayList<>();
        Map<String, Map<String, Object>> environments = new LinkedHashMap<>();
        for (Path file : files) {
            for (Map<String, Object> result : Results.read(file)) {
                results.add(result);
                Map<String, Object> environment = new LinkedHashMap<>();
                ENVIRONMENT.stream().filter(result::containsKey).forEach(key -> environment.put(key, result.get(key)));
                if (!environments.containsValue(environment)) {
                    String place = result.containsKey("device") ? "GPU " + result.get("device") : "CPU";
                    environments.put(place + ", part " + (environments.size() + 1), environment);
                }
            }
        }
        return new StudyParts(results, environments);
    }
}
