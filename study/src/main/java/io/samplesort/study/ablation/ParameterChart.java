package io.samplesort.study.ablation;

import io.samplesort.bench.plot.ChartPicture;
import io.samplesort.bench.plot.Picture;
import java.awt.Color;
import java.awt.Font;
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

/// Draws what one parameter changes, small enough for two pictures to stand side by side. Values stand at equal
/// distances, whatever their differences are. The published sort has solid curves, ours has dashed ones.
final class ParameterChart {
    private static final int WIDTH = 480;
    private static final int HEIGHT = 320;
    private static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 13);
    private static final Font TEXT = new Font(Font.SANS_SERIF, Font.PLAIN, 11);
    private static final int MARKER_SIZE = 8;
    private static final int LABEL_WIDTH = 36;

    /// The colours of types in one picture and of parts in the other.
    private static final Color[] COLOURS = {
        new Color(0x1f77b4),
        new Color(0xd62728),
        new Color(0x2ca02c),
        new Color(0x999999),
        new Color(0x9467bd),
        new Color(0xff7f0e)
    };

    private final AblationFigures figures;
    private final CategoryChart chart;

    private ParameterChart(AblationFigures figures, String unit) {
        this.figures = figures;
        Knob knob = figures.knob();
        chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(knob.system() + ": " + knob.title())
                .xAxisTitle(figures.input() + ", " + figures.place())
                .yAxisTitle(unit)
                .build();
        CategoryStyler styler = chart.getStyler();
        styler.setChartTitleFont(TITLE);
        styler.setAxisTitleFont(TEXT);
        styler.setAxisTickLabelsFont(TEXT);
        styler.setLegendFont(TEXT);
        styler.setLegendPosition(Styler.LegendPosition.OutsideS);
        styler.setLegendLayout(Styler.LegendLayout.Horizontal);
        styler.setYAxisMin(0.0);
        styler.setMarkerSize(MARKER_SIZE);
        styler.setXAxisTickMarkSpacingHint(LABEL_WIDTH);
        styler.setSeriesColors(COLOURS);
    }

    /// Returns a picture of the rate over the values of the parameter. Each type is a curve or a group of bars, and the
    /// default value is marked.
    static Picture ofRates(AblationFigures figures) {
        ParameterChart picture = new ParameterChart(figures, "10^6 elements a second");
        Knob knob = figures.knob();
        // Points of all types stand at the same place; bars stand side by side.
        picture.chart.getStyler().setOverlapped(!knob.isNominal());
        NavigableSet<Long> values = new TreeSet<>();
        figures.rates().values().forEach(rates -> values.addAll(rates.keySet()));
        List<String> labels = values.stream().map(knob::text).toList();
        figures.rates()
                .forEach((type, rates) -> picture.addRates(
                        type, labels, values.stream().map(rates::get).toList()));
        if (!knob.isNominal()) {
            picture.markDefaults(values, labels);
        }
        return new ChartPicture(picture.chart);
    }

    private void addRates(String type, List<String> labels, List<Double> heights) {
        Knob knob = figures.knob();
        CategorySeries series = chart.addSeries(type, labels, heights);
        if (!knob.isNominal()) {
            series.setChartCategorySeriesRenderStyle(CategorySeriesRenderStyle.Line);
            series.setLineStyle(knob.isPublished() ? SeriesLines.SOLID : SeriesLines.DASH_DASH);
            series.setMarker(SeriesMarkers.CIRCLE);
        }
    }

    /// Adds a mark for each type, because types may have different defaults.
    private void markDefaults(NavigableSet<Long> values, List<String> labels) {
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

    /// Returns a picture of where the time goes: for each value of the parameter a bar of the parts of a sort.
    static Picture ofParts(AblationFigures figures, String type) {
        CategoryChart chart = new ParameterChart(figures, "milliseconds, " + type).chart;
        chart.getStyler().setStacked(true);
        NavigableMap<Long, Map<String, Double>> byValue = figures.parts().get(type);
        List<String> labels =
                byValue.keySet().stream().map(figures.knob()::text).toList();
        for (String part : byValue.firstEntry().getValue().keySet()) {
            chart.addSeries(
                    part,
                    labels,
                    byValue.values().stream().map(millis -> millis.get(part)).toList());
        }
        return new ChartPicture(chart);
    }
}
