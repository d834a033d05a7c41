package io.samplesort.bench.plot;

import io.samplesort.bench.results.Sizes;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/// Draws how much the input distribution matters. Each distribution is a row, each system and type a column, and each
/// cell shows the rate. The colour of a cell is the rate as a multiple of the same column's rate on uniform input, so
/// that a sort that treats all inputs alike has one colour, no matter how fast it is.
///
/// This class draws by hand, because heat maps of plotting libraries colour a cell by the number that they write in it.
final class HeatMap implements Picture {
    private static final int MARGIN = 14;
    private static final int LABEL_WIDTH = 178;
    private static final int CELL_HEIGHT = 24;
    private static final int LEAST_CELL_WIDTH = 44;
    private static final int MOST_CELL_WIDTH = 84;
    /// A few columns are widened to this in total, so that the legend fits below them.
    private static final int CELLS_WIDTH = 270;
    private static final int SYSTEM_GAP = 10;
    private static final int TITLE_HEIGHT = 48;
    private static final int HEADING_HEIGHT = 26;
    private static final int LINE_HEIGHT = 15;
    private static final int LEGEND_HEIGHT = 72;
    private static final int BAR_HEIGHT = 14;
    private static final int BAR_STEPS = 64;

    private static final Color SLOWER = new Color(239, 138, 98);
    private static final Color EQUAL = new Color(247, 247, 247);
    private static final Color FASTER = new Color(103, 169, 207);
    private static final Color MISSING = new Color(205, 205, 205);
    /// The ends of the scale, as exponents of two of the relative rate. Below half and above double the rate, colours
    /// do not change any more.
    private static final double SCALE_END = 1;

    private static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 14);
    private static final Font HEADING = new Font(Font.SANS_SERIF, Font.BOLD, 13);
    private static final Font TEXT = new Font(Font.SANS_SERIF, Font.PLAIN, 13);

    private final DistributionRates rates;
    private final int cellWidth;
    /// The left edge of each column.
    private final List<Integer> lefts = new ArrayList<>();

    HeatMap(DistributionRates rates) {
        this.rates = rates;
        int columns = rates.columns().size();
        cellWidth = Math.clamp(CELLS_WIDTH / columns, LEAST_CELL_WIDTH, MOST_CELL_WIDTH);
        int left = MARGIN + LABEL_WIDTH;
        for (int column = 0; column < columns; column++) {
            if (column > 0 && !system(column).equals(system(column - 1))) {
                left += SYSTEM_GAP;
            }
            lefts.add(left);
            left += cellWidth;
        }
    }

    private String system(int column) {
        return rates.columns().get(column).system();
    }

    @Override
    public int width() {
        return Math.max(lefts.getLast() + cellWidth, MARGIN + LABEL_WIDTH + CELLS_WIDTH) + MARGIN;
    }

    @Override
    public int height() {
        return cellsBottom() + LEGEND_HEIGHT + MARGIN;
    }

    private int cellsTop() {
        boolean hasPairs =
                rates.columns().stream().anyMatch(column -> column.type().contains("+"));
        return MARGIN + TITLE_HEIGHT + HEADING_HEIGHT + (hasPairs ? 2 : 1) * LINE_HEIGHT;
    }

    private int cellsBottom() {
        return cellsTop() + rates.distributions().size() * CELL_HEIGHT;
    }

    @Override
    public void draw(Graphics2D g) {
        g.setColor(Color.WHITE);
        g.fillRect(0, 0, width(), height());
        g.setColor(Color.BLACK);
        g.setFont(TITLE);
        g.drawString("Rate by input distribution, " + Sizes.text(rates.count()) + " elements", MARGIN, MARGIN + 14);
        g.setFont(TEXT);
        g.drawString(
                "10^9 elements a second, device memory" + (rates.gpu().isEmpty() ? "" : ", " + rates.gpu()),
                MARGIN,
                MARGIN + 34);
        drawHeader(g);
        g.setFont(TEXT);
        for (int row = 0; row < rates.distributions().size(); row++) {
            int baseline = cellsTop() + row * CELL_HEIGHT + 17;
            String distribution = rates.distributions().get(row);
            int textWidth = g.getFontMetrics().stringWidth(distribution);
            g.drawString(distribution, MARGIN + LABEL_WIDTH - 8 - textWidth, baseline);
        }
        for (int column = 0; column < lefts.size(); column++) {
            for (int row = 0; row < rates.distributions().size(); row++) {
                drawCell(g, column, row);
            }
        }
        drawLegend(g);
    }

    /// Draws each system above its columns, and the types below the systems. Pairs take two lines.
    private void drawHeader(Graphics2D g) {
        for (int first = 0; first < lefts.size(); ) {
            int last = first;
            while (last + 1 < lefts.size() && system(last + 1).equals(system(first))) {
                last++;
            }
            g.setFont(HEADING);
            centre(g, system(first), (lefts.get(first) + lefts.get(last) + cellWidth) / 2, MARGIN + TITLE_HEIGHT + 14);
            first = last + 1;
        }
        g.setFont(TEXT);
        for (int column = 0; column < lefts.size(); column++) {
            int middle = lefts.get(column) + cellWidth / 2;
            String type = rates.columns().get(column).type();
            int plus = type.indexOf('+');
            if (plus < 0) {
                centre(g, type, middle, cellsTop() - 6);
            } else {
                centre(g, type.substring(0, plus), middle, cellsTop() - 6 - LINE_HEIGHT);
                centre(g, type.substring(plus), middle, cellsTop() - 6);
            }
        }
    }

    private void drawCell(Graphics2D g, int column, int row) {
        String distribution = rates.distributions().get(row);
        DistributionRates.Column cells = rates.columns().get(column);
        int left = lefts.get(column);
        int top = cellsTop() + row * CELL_HEIGHT;
        OptionalDouble relative = cells.relative(distribution);
        g.setColor(relative.isPresent() ? colour(relative.getAsDouble()) : MISSING);
        // A line of the background stays between cells.
        g.fillRect(left, top, cellWidth - 1, CELL_HEIGHT - 1);
        Double rate = cells.rates().get(distribution);
        g.setColor(Color.BLACK);
        centre(g, rate == null ? "–" : RateTable.text(rate), left + cellWidth / 2, top + 17);
    }

    private void drawLegend(Graphics2D g) {
        int left = MARGIN;
        int top = cellsBottom() + 34;
        int width = CELLS_WIDTH;
        g.setFont(TEXT);
        g.setColor(Color.BLACK);
        g.drawString("colour: multiple of the same column's rate on uniform", left, top - 10);
        for (int step = 0; step < BAR_STEPS; step++) {
            int begin = left + width * step / BAR_STEPS;
            int end = left + width * (step + 1) / BAR_STEPS;
            g.setColor(colour(Math.pow(2, SCALE_END * (2.0 * step / (BAR_STEPS - 1) - 1))));
            g.fillRect(begin, top, end - begin, BAR_HEIGHT);
        }
        g.setColor(Color.BLACK);
        String[] labels = {"≤ 0.5", "0.7", "1", "1.4", "≥ 2"};
        double[] values = {0.5, 0.7, 1, 1.4, 2};
        for (int i = 0; i < labels.length; i++) {
            double place = (Math.log(values[i]) / Math.log(2) / SCALE_END + 1) / 2;
            int x = left + (int) Math.round(width * place);
            g.drawLine(x, top + BAR_HEIGHT, x, top + BAR_HEIGHT + 4);
            // The outer labels stay within the bar.
            int textWidth = g.getFontMetrics().stringWidth(labels[i]);
            int textLeft = Math.clamp(x - textWidth / 2, left, left + width - textWidth);
            g.drawString(labels[i], textLeft, top + BAR_HEIGHT + 18);
        }
    }

    private static void centre(Graphics2D g, String text, int x, int baseline) {
        g.drawString(text, x - g.getFontMetrics().stringWidth(text) / 2, baseline);
    }

    /// Returns the colour of a relative rate. Equal ratios are equal steps of colour.
    static Color colour(double relative) {
        double place = Math.clamp(Math.log(relative) / Math.log(2) / SCALE_END, -1, 1);
        Color end = place < 0 ? SLOWER : FASTER;
        double weight = Math.abs(place);
        return new Color(
                mix(EQUAL.getRed(), end.getRed(), weight),
                mix(EQUAL.getGreen(), end.getGreen(), weight),
                mix(EQUAL.getBlue(), end.getBlue(), weight));
    }

    private static int mix(int from, int to, double weight) {
        return (int) Math.round(from + (to - from) * weight);
    }
}
