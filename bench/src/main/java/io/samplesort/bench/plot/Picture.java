package io.samplesort.bench.plot;

import de.erichseifert.vectorgraphics2d.Processors;
import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;

/// A drawing that is kept in two formats, SVG and PNG.
public interface Picture {
    /// Pixels of the PNG for each unit of the drawing, so that its text stays sharp on dense screens.
    int PIXELS = 2;

    /// Returns the width of the drawing in its own units.
    int width();

    /// Returns the height of the drawing in its own units.
    int height();

    /// Draws all of the picture, also its background. Fonts must not have size 12, because the SVG would not name it.
    void draw(Graphics2D graphics);

    /// Writes `name.svg` and `name.png` into the folder.
    default void save(Path folder, String name) throws IOException {
        Files.writeString(folder.resolve(name + ".svg"), svg());
        BufferedImage image = new BufferedImage(width() * PIXELS, height() * PIXELS, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.scale(PIXELS, PIXELS);
        draw(graphics);
        graphics.dispose();
        ImageIO.write(image, "png", folder.resolve(name + ".png").toFile());
    }

    /// Returns the drawing as an SVG document. Coordinates are cut to a hundredth of a unit, which makes it much
    /// shorter, because most of it is outlines of letters.
    default String svg() throws IOException {
        VectorGraphics2D graphics = new VectorGraphics2D();
        draw(graphics);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Processors.get("svg")
                .getDocument(graphics.getCommands(), new PageSize(0, 0, width(), height()))
                .writeTo(out);
        // The SVG names only our font. Where it is missing, any font without serifs will do.
        return out.toString(StandardCharsets.UTF_8)
                .replaceAll("(font-family:&quot;[^&]*&quot;)", "$1,sans-serif")
                .replaceAll("(\\.\\d\\d)\\d+", "$1");
    }
}
