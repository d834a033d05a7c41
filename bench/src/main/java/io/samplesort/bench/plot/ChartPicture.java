package io.samplesort.bench.plot;

import java.awt.Color;
import java.awt.Graphics2D;
import org.knowm.xchart.internal.chartpart.Chart;

/// A picture that XChart draws, on a white background.
public record ChartPicture(Chart<?, ?> chart) implements Picture {
    public ChartPicture {
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
    }

    @Override
    public int width() {
        return chart.getWidth();
    }

    @Override
    public int height() {
        return chart.getHeight();
    }

    @Override
    public void draw(Graphics2D graphics) {
        chart.paint(graphics, chart.getWidth(), chart.getHeight());
    }
}
