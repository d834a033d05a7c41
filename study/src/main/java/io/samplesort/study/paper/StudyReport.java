package io.samplesort.study.paper;

import io.samplesort.bench.plot.Picture;
import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.Sizes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The study as one HTML page. Its figures are inline SVG, so the page needs no other file.
///
/// @param results      all results
/// @param environments the environments in which they were measured, by name
/// @param notes        what the reader has to know before the figures
record StudyReport(
        List<Map<String, Object>> results, Map<String, Map<String, Object>> environments, List<String> notes) {
    private static final String STYLE = """
            body { font: 16px/1.5 sans-serif; max-width: 1240px; margin: 2em auto; padding: 0 1em; color: #222; }
            table { border-collapse: collapse; margin: 1em 0; }
            th, td { border: 1px solid #ccc; padding: 0.25em 0.6em; text-align: left; vertical-align: top; }
            th { background: #f3f3f3; }
            td.wrong { background: #f9c6c6; }
            .panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(480px, 1fr)); gap: 1em; }
            figure { margin: 0; }
            .panels svg { width: 100%; height: auto; border: 1px solid #ddd; }
            """;

    String html() throws IOException {
        StudyRates rates = StudyRates.of(results);
        StringBuilder page =
                new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n"
                        + "<head>\n<meta charset=\"utf-8\"/>\n<title>GPU Sample Sort, its study once more</title>\n<style>\n"
                        + STYLE + "</style>\n</head>\n<body>\n<h1>GPU Sample Sort, its study once more</h1>\n");
        page.append(
                "<p>The experiments of Section 6 of N. Leischner, V. Osipov and P. Sanders, <em>GPU Sample Sort</em>"
                        + " (2009), on this machine. Elements lie in device memory, and transfers are not counted; the"
                        + " elements of the CPU's sorts lie in arrays. Each point is a median. The input distributions are"
                        + " those of the paper for p = 240, drawn by a Mersenne Twister. CUB's sorts stand for those of Thrust"
                        + " and CUDPP of 2009.</p>\n");
        notes.forEach(note -> page.append("<p><strong>").append(escape(note)).append("</strong></p>\n"));
        page.append("<h2>What the paper said, and what this machine says</h2>\n");
        List<List<String>> headlines = new ArrayList<>();
        if (rates.devices().isEmpty()) {
            page.append("<p>The paper compares sorts on a GPU, and no GPU was timed here.</p>\n");
        } else {
            page.append("<p>The ratios are taken over all sizes from 2^20 elements on.</p>\n");
            new StudyHeadlines(rates)
                    .all()
                    .forEach(headline -> headlines.add(
                            List.of(headline.claim(), headline.paper(), headline.then(), headline.today())));
            page.append(table(List.of("", "the paper", "the sort of then, here", "samplesort, here"), headlines));
        }
        int panel = 0;
        for (StudyFigures.Figure figure : StudyFigures.of(rates)) {
            page.append("<h2>")
                    .append(escape(figure.title() + ": " + figure.caption()))
                    .append("</h2>\n");
            page.append("<div class=\"panels\">\n");
            for (Map.Entry<String, Picture> picture : figure.panels().entrySet()) {
                page.append("<figure id=\"").append(picture.getKey()).append("\">");
                page.append(inline(picture.getValue().svg(), "panel" + panel++ + "-"));
                page.append("</figure>\n");
            }
            page.append("</div>\n");
        }
        page.append(
                "<h2>What was checked</h2>\n<p>Each result was checked: is it in order, and does it still have the same"
                        + " elements? The numbers count runs, over all sizes.</p>\n");
        page.append(checks());
        page.append(remarks());
        page.append("<h2>Where it was measured</h2>\n");
        environments.forEach((name, environment) -> {
            page.append("<h3>").append(escape(name)).append("</h3>\n");
            List<List<String>> rows = new ArrayList<>();
            environment.forEach((key, value) -> rows.add(List.of(key, String.valueOf(value))));
            page.append(table(List.of("what", "value"), rows));
        });
        return page.append("</body>\n</html>\n").toString();
    }

    /// Makes the names in an SVG unique in the page; on their own they are unique only within their picture.
    private static String inline(String svg, String prefix) {
        return svg.substring(svg.indexOf("<svg"))
                .replaceAll("\\bid=\"([^\"]+)\"", "id=\"" + prefix + "$1\"")
                .replaceAll("url\\(#([^)]+)\\)", "url(#" + prefix + "$1)")
                .replaceAll("xlink:href=\"#([^\"]+)\"", "xlink:href=\"#" + prefix + "$1\"");
    }

    private String checks() {
        Map<String, Map<String, List<Map<String, Object>>>> bySystem = new LinkedHashMap<>();
        Set<String> distributions = new LinkedHashSet<>();
        for (Map<String, Object> result : results) {
            distributions.add((String) result.get("distribution"));
            bySystem.computeIfAbsent(result.get("type") + " " + result.get("system"), k -> new LinkedHashMap<>())
                    .computeIfAbsent((String) result.get("distribution"), k -> new ArrayList<>())
                    .add(result);
        }
        List<String> heads = new ArrayList<>(List.of("elements, system"));
        heads.addAll(distributions);
        List<List<String>> rows = new ArrayList<>();
        bySystem.forEach((system, byDistribution) -> {
            List<String> row = new ArrayList<>(List.of(system));
            distributions.forEach(distribution -> row.add(check(byDistribution.getOrDefault(distribution, List.of()))));
            rows.add(row);
        });
        return table(heads, rows);
    }

    private static String check(List<Map<String, Object>> results) {
        long right = results.stream().filter(r -> Results.isTrue(r, "verified")).count();
        long wrong = results.stream()
                .filter(r -> Boolean.FALSE.equals(r.get("verified")))
                .count();
        long undefined =
                results.stream().filter(r -> r.containsKey("undefined")).count();
        List<String> words = new ArrayList<>();
        if (right > 0) {
            words.add(right + " right");
        }
        if (undefined > 0) {
            words.add(undefined + " refused");
        }
        if (wrong > 0) {
            words.add(wrong + " WRONG");
        }
        return String.join(", ", words);
    }

    /// Returns what systems themselves have said about inputs, each once, at the largest size.
    private String remarks() {
        Map<String, List<String>> rows = new LinkedHashMap<>();
        for (Map<String, Object> result : results) {
            Object text = result.getOrDefault("undefined", result.get("remark"));
            if (text != null) {
                String what = result.get("system") + ", " + result.get("type") + ", " + result.get("distribution");
                rows.put(what, List.of(what, Sizes.text(Results.count(result)), text.toString()));
            }
        }
        return rows.isEmpty()
                ? ""
                : "<h2>Inputs that a system is not made for</h2>\n"
                        + table(List.of("system, elements, input", "n", "what it says"), rows.values());
    }

    private static String table(List<String> heads, Collection<List<String>> rows) {
        StringBuilder table = new StringBuilder("<table>\n<tr>");
        heads.forEach(head -> table.append("<th>").append(escape(head)).append("</th>"));
        table.append("</tr>\n");
        for (List<String> row : rows) {
            table.append("<tr>");
            for (String cell : row) {
                table.append(cell.contains("WRONG") ? "<td class=\"wrong\">" : "<td>")
                        .append(escape(cell))
                        .append("</td>");
            }
            table.append("</tr>\n");
        }
        return table.append("</table>\n").toString();
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
