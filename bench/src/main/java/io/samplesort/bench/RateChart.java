package io.samplesort.bench;

import java.awt.Color;
import java.awt.Graphics2D;
import java.util.Map;
import java.util.SortedMap;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;

/// Draws the rate over n of one type, a curve a system.
final class RateChart implements Picture {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 460;

    private final XYChart chart;

    /// @param systems 10^9 elements a second by count, by system
    RateChart(String title, Map<String, ? extends SortedMap<Long, Double>> systems) {
        chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle("log2 n")
                .yAxisTitle("10^9 elements a second")
                .build();
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setLegendPosition(Styler.LegendPosition.InsideNW);
        chart.getStyler().setYAxisMin(0.0);
        systems.forEach((system, bySize) -> chart.addSeries(
                system,
                bySize.keySet().stream()
                        .mapToDouble(n -> Math.log(n) / Math.log(2))
                        .toArray(),
                bySize.values().stream().mapToDouble(Double::doubleValue).toArray()));
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
