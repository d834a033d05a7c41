package io.samplesort.bench.plot;

import io.samplesort.bench.results.Sizes;
import java.awt.Font;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.CategoryStyler;
import org.knowm.xchart.style.Styler;

/// Draws the rates of sorts of records as bars. Each job is a group of bars, at the largest size that was measured for
/// it.
final class JobChart {
    private static final int WIDTH = 1000;
    private static final int HEIGHT = 460;
    private static final Font LABELS = new Font(Font.SANS_SERIF, Font.PLAIN, 10);

    private JobChart() {}

    static Picture of(RecordRates records) {
        RateTable rates = records.rates();
        List<String> jobs = List.copyOf(rates.rows());
        boolean isOneSize = jobs.stream().map(records::largestCount).distinct().count() == 1;
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title("Records, " + records.input() + ", in device memory"
                        + (isOneSize ? ", " + Sizes.text(records.largestCount(jobs.getFirst())) : "")
                        + (records.gpu().isEmpty() ? "" : ", " + records.gpu()))
                .yAxisTitle("10^9 elements a second")
                .build();
        CategoryStyler styler = chart.getStyler();
        styler.setLegendPosition(Styler.LegendPosition.OutsideS);
        styler.setLegendLayout(Styler.LegendLayout.Horizontal);
        styler.setYAxisMin(0.0);
        styler.setLabelsVisible(true);
        styler.setLabelsFont(LABELS);
        List<String> titles = jobs.stream()
                .map(job -> isOneSize ? job : job + " " + Sizes.text(records.largestCount(job)))
                .toList();
        for (String system : rates.systems()) {
            // The list may hold nulls, because not every system does every job.
            List<Double> heights = new ArrayList<>();
            for (String job : jobs) {
                OptionalDouble rate = rates.rate(job, system, records.largestCount(job));
                // A bar is labelled with its height, so the height has only the digits that a reader wants.
                heights.add(rate.isPresent() ? Double.valueOf(RateTable.text(rate.getAsDouble())) : null);
            }
            chart.addSeries(system, titles, heights);
        }
        return new ChartPicture(chart);
    }
}
