package io.samplesort.study.paper;

import io.samplesort.bench.plot.Picture;
import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/// What a study writes: the results, which it also prints, the pictures and the report.
final class StudyOutput {
    private final Path folder;
    private final List<Map<String, Object>> results = new ArrayList<>();
    private final Map<String, Map<String, Object>> environments = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();

    StudyOutput(Path folder) {
        this.folder = folder;
    }

    /// Takes the results of earlier runs.
    void read(List<Path> files) {
        StudyParts parts = StudyParts.read(files);
        results.addAll(parts.results());
        environments.putAll(parts.environments());
    }

    /// Makes the folder, and deletes the results of an earlier study in it.
    void open() throws IOException {
        Files.createDirectories(folder);
        Files.deleteIfExists(file());
    }

    private Path file() {
        return folder.resolve("results.jsonl");
    }

    /// Adds what the reader of the report has to know before the figures.
    void note(String text) {
        notes.add(text);
    }

    /// Returns a consumer of the results of one place.
    ///
    /// @param environment what these results have in common
    Consumer<Map<String, Object>> collector(String place, Map<String, Object> environment) {
        environments.put(place, environment);
        Results lines = new Results(file(), environment);
        return result -> {
            lines.add(result);
            results.add(result);
            print(result);
        };
    }

    boolean allRight() {
        return results.stream().noneMatch(result -> Boolean.FALSE.equals(result.get("verified")));
    }

    /// Writes the pictures and the report.
    void writeReport() throws IOException {
        Files.createDirectories(folder);
        notes.forEach(System.out::println);
        for (StudyFigures.Figure figure : StudyFigures.of(StudyRates.of(results))) {
            for (Map.Entry<String, Picture> panel : figure.panels().entrySet()) {
                panel.getValue().save(folder, panel.getKey());
            }
        }
        Path page = folder.resolve("study.html");
        Files.writeString(page, new StudyReport(results, environments, notes).html());
        System.out.println("The report is " + page);
    }

    private static void print(Map<String, Object> result) {
        Object millis = result.getOrDefault("deviceMillisMedian", result.get("wallMillisMedian"));
        String time = millis == null ? "" : String.format(Locale.ROOT, "%12.3f ms", ((Number) millis).doubleValue());
        String verdict = result.containsKey("undefined")
                ? "refused: " + result.get("undefined")
                : Results.isTrue(result, "verified") ? "" : "WRONG";
        System.out.printf(
                Locale.ROOT,
                "%-28s %-8s %-26s %10s %s  %s%n",
                result.get("system"),
                result.get("type"),
                result.get("distribution"),
                Sizes.text(Results.count(result)),
                time,
                verdict);
    }
}
