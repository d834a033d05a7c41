package io.samplesort.bench.plot;

import java.awt.Color;
import java.awt.Graphics2D;
import java.util.Map;
import java.util.SortedMap;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/// Draws the rate over n, a curve a system.
public final class RateChart implements Picture {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 460;

    private final XYChart chart;

    /// @param systems 10^9 elements a second by count, by system
    RateChart(String title, Map<String, ? extends SortedMap<Long, Double>> systems) {
        this(title, "10^9 elements a second", systems);
        chart.getStyler().setLegendPosition(Styler.LegendPosition.InsideNW);
        chart.getStyler().setYAxisMin(0.0);
    }

    private RateChart(String title, String unit, Map<String, ? extends SortedMap<Long, Double>> systems) {
        chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle("log2 n")
                .yAxisTitle(unit)
                .build();
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        systems.forEach((system, bySize) -> chart.addSeries(
                system,
                bySize.keySet().stream()
                        .mapToDouble(n -> Math.log(n) / Math.log(2))
                        .toArray(),
                bySize.values().stream().mapToDouble(Double::doubleValue).toArray()));
    }

    /// A picture of the study, whose systems differ a hundredfold and more: the rates on a logarithmic scale, and each
    /// system in a colour of its own, the same one in all pictures.
    ///
    /// @param systems 10^6 elements a second by count, by system
    /// @param colours of the systems
    public static RateChart ofStudy(
            String title, Map<String, ? extends SortedMap<Long, Double>> systems, Map<String, Color> colours) {
        RateChart picture = new RateChart(title, "10^6 elements a second", systems);
        XYStyler styler = picture.chart.getStyler();
        styler.setYAxisLogarithmic(true);
        styler.setYAxisDecimalPattern("#,##0.###");
        styler.setLegendPosition(Styler.LegendPosition.OutsideE);
        for (String system : systems.keySet()) {
            XYSeries series = picture.chart.getSeries(system);
            series.setLineColor(colours.get(system));
            series.setLineStyle(SeriesLines.SOLID);
            series.setMarkerColor(colours.get(system));
            series.setMarker(SeriesMarkers.CIRCLE);
        }
        return picture;
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
