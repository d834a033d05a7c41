package io.samplesort.bench.plot;

import java.awt.Color;
import java.util.Map;
import java.util.SortedMap;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/// Draws the rate over n, with a curve for each system.
public final class RateChart {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 460;

    private RateChart() {}

    /// Returns a picture whose scale begins at 0.
    ///
    /// @param systems 10^9 elements a second by count, by system
    static Picture linear(String title, Map<String, ? extends SortedMap<Long, Double>> systems) {
        XYChart chart = chart(title, "10^9 elements a second", systems);
        chart.getStyler().setLegendPosition(Styler.LegendPosition.InsideNW);
        chart.getStyler().setYAxisMin(0.0);
        return new ChartPicture(chart);
    }

    /// Returns a picture with a logarithmic scale, for systems that differ a hundredfold and more.
    ///
    /// @param systems 10^6 elements a second by count, by system
    /// @param colours the colours of the systems, which may be the same in several pictures
    public static Picture logarithmic(
            String title, Map<String, ? extends SortedMap<Long, Double>> systems, Map<String, Color> colours) {
        XYChart chart = chart(title, "10^6 elements a second", systems);
        XYStyler styler = chart.getStyler();
        styler.setYAxisLogarithmic(true);
        styler.setYAxisDecimalPattern("#,##0.###");
        styler.setLegendPosition(Styler.LegendPosition.OutsideE);
        for (String system : systems.keySet()) {
            XYSeries series = chart.getSeries(system);
            series.setLineColor(colours.get(system));
            series.setLineStyle(SeriesLines.SOLID);
            series.setMarkerColor(colours.get(system));
            series.setMarker(SeriesMarkers.CIRCLE);
        }
        return new ChartPicture(chart);
    }

    private static XYChart chart(String title, String unit, Map<String, ? extends SortedMap<Long, Double>> systems) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle("log2 n")
                .yAxisTitle(unit)
                .build();
        systems.forEach((system, bySize) -> chart.addSeries(
                system,
                bySize.keySet().stream()
                        .mapToDouble(n -> Math.log(n) / Math.log(2))
                        .toArray(),
                bySize.values().stream().mapToDouble(Double::doubleValue).toArray()));
        return chart;
    }
}
