package io.samplesort.study.ablation;

import io.samplesort.bench.plot.Picture;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries;
import org.knowm.xchart.CategorySeries.CategorySeriesRenderStyle;
import org.knowm.xchart.style.CategoryStyler;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/// Draws what one parameter changes, small enough to stand beside another one: the values side by side, whatever their
/// distances. The published sort has solid curves, ours dashed ones.
final class ParameterChart implements Picture {
    private static final int WIDTH = 480;
    private static final int HEIGHT = 320;
    private static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 13);
    private static final Font TEXT = new Font(Font.SANS_SERIF, Font.PLAIN, 11);
    private static final int MARKER_SIZE = 8;
    private static final int LABEL_WIDTH = 36;

    /// Of types, and of parts.
    private static final List<Color> COLOURS = List.of(
            new Color(0x1f77b4),
            new Color(0xd62728),
            new Color(0x2ca02c),
            new Color(0x999999),
            new Color(0x9467bd),
            new Color(0xff7f0e));

    private final CategoryChart chart;

    private ParameterChart(AblationFigures figures, String unit) {
        Knob knob = figures.knob();
        chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(knob.system() + ": " + knob.title())
                .xAxisTitle(figures.input() + ", " + figures.place())
                .yAxisTitle(unit)
                .build();
        CategoryStyler styler = chart.getStyler();
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setChartTitleFont(TITLE);
        styler.setAxisTitleFont(TEXT);
        styler.setAxisTickLabelsFont(TEXT);
        styler.setLegendFont(TEXT);
        styler.setLegendPosition(Styler.LegendPosition.OutsideS);
        styler.setLegendLayout(Styler.LegendLayout.Horizontal);
        styler.setYAxisMin(0.0);
        styler.setMarkerSize(MARKER_SIZE);
        styler.setXAxisTickMarkSpacingHint(LABEL_WIDTH);
        styler.setSeriesColors(COLOURS.toArray(Color[]::new));
    }

    /// The rate over the parameter's value, a curve or a group of bars a type, the default value marked.
    static ParameterChart ofRates(AblationFigures figures) {
        ParameterChart picture = new ParameterChart(figures, "10^6 elements a second");
        Knob knob = figures.knob();
        // Points of all types at the same place, where bars are side by side.
        picture.chart.getStyler().setOverlapped(!knob.isNominal());
        NavigableSet<Long> values = new TreeSet<>();
        figures.rates().values().forEach(rates -> values.addAll(rates.keySet()));
        List<String> labels = values.stream().map(knob::text).toList();
        figures.rates()
                .forEach((type, rates) -> picture.addRates(
                        type, labels, values.stream().map(rates::get).toList(), knob));
        if (!knob.isNominal()) {
            picture.markDefaults(figures, values, labels);
        }
        return picture;
    }

    private void addRates(String type, List<String> labels, List<Double> heights, Knob knob) {
        CategorySeries series = chart.addSeries(type, labels, heights);
        if (!knob.isNominal()) {
            series.setChartCategorySeriesRenderStyle(CategorySeriesRenderStyle.Line);
            series.setLineStyle(knob.isPublished() ? SeriesLines.SOLID : SeriesLines.DASH_DASH);
            series.setMarker(SeriesMarkers.CIRCLE);
        }
    }

    /// A mark for each type, since not all have the same default.
    private void markDefaults(AblationFigures figures, NavigableSet<Long> values, List<String> labels) {
        boolean isFirst = true;
        for (Map.Entry<String, Long> byDefault : figures.defaults().entrySet()) {
            NavigableMap<Long, Double> rates = figures.rates().get(byDefault.getKey());
            List<Double> heights = new ArrayList<>();
            for (long value : values) {
                heights.add(value == byDefault.getValue() ? rates.get(value) : null);
            }
            String name = figures.knob().isPublished() ? "published" : "default";
            CategorySeries series = chart.addSeries(isFirst ? name : name + ", " + byDefault.getKey(), labels, heights);
            series.setChartCategorySeriesRenderStyle(CategorySeriesRenderStyle.Scatter);
            series.setMarker(SeriesMarkers.DIAMOND);
            series.setMarkerColor(Color.BLACK);
            series.setShowInLegend(isFirst);
            isFirst = false;
        }
    }

    /// Where the time goes: bars of the parts of a sort, one on the other.
    static ParameterChart ofParts(AblationFigures figures, String type) {
        ParameterChart picture = new ParameterChart(figures, "milliseconds, " + type);
        picture.chart.getStyler().setStacked(true);
        NavigableMap<Long, Map<String, Double>> byValue = figures.parts().get(type);
        List<String> labels =
                byValue.keySet().stream().map(figures.knob()::text).toList();
        for (String part : byValue.firstEntry().getValue().keySet()) {
            picture.chart.addSeries(
                    part,
                    labels,
                    byValue.values().stream().map(millis -> millis.get(part)).toList());
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
