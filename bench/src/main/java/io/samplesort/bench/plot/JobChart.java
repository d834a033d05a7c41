package io.samplesort.bench.plot;

import io.samplesort.bench.results.Sizes;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.Styler;

/// Draws the rates of sorts of records, a group of bars a job, each at the largest size that was measured of it.
final class JobChart implements Picture {
    private static final int WIDTH = 1000;
    private static final int HEIGHT = 460;
    private static final Font LABELS = new Font(Font.SANS_SERIF, Font.PLAIN, 10);

    private final CategoryChart chart;

    JobChart(RecordRates rates) {
        List<String> jobs = new ArrayList<>(rates.rates().keySet());
        boolean isOneSize = jobs.stream().map(rates::largestCount).distinct().count() == 1;
        chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title("Records, " + rates.input() + ", in device memory"
                        + (isOneSize ? ", " + Sizes.text(rates.largestCount(jobs.getFirst())) : "")
                        + (rates.gpu().isEmpty() ? "" : ", " + rates.gpu()))
                .yAxisTitle("10^9 elements a second")
                .build();
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideS);
        chart.getStyler().setLegendLayout(Styler.LegendLayout.Horizontal);
        chart.getStyler().setYAxisMin(0.0);
        chart.getStyler().setLabelsVisible(true);
        chart.getStyler().setLabelsFont(LABELS);
        List<String> titles = jobs.stream()
                .map(job -> isOneSize ? job : job + " " + Sizes.text(rates.largestCount(job)))
                .toList();
        for (String system : rates.systems()) {
            // A list that may hold nulls: not every system does every job.
            List<Double> heights = new ArrayList<>();
            for (String job : jobs) {
                Double rate = rates.rates()
                        .get(job)
                        .getOrDefault(system, new TreeMap<>())
                        .get(rates.largestCount(job));
                // As many digits as are read: a bar is labelled with its height.
                heights.add(rate == null ? null : Double.valueOf(HeatMap.text(rate)));
            }
            chart.addSeries(system, titles, heights);
        }
    }

    @Override
    public int width() {
        return WIDTH;
    }

    @Override
    public int height() {
        return HEIGHT;
    }

    @Override
    public void draw(Graphics2D graphics) {
        chart.paint(graphics, WIDTH, HEIGHT);
    }
}
