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

/// Something that is drawn once and kept in two formats.
public interface Picture {
    /// Pixels of the PNG for each unit of the drawing, so that its text stays sharp on dense screens.
    int PIXELS = 2;

    /// Width of the drawing in its own units.
    int width();

    /// Height of the drawing in its own units.
    int height();

    /// Draws all of it, the background too. Not with fonts of size 12: the SVG would not say so.
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

    /// The drawing as an SVG document. Places are cut to a hundredth of a unit: most of the text is letters as
    /// outlines.
    default String svg() throws IOException {
        VectorGraphics2D graphics = new VectorGraphics2D();
        draw(graphics);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Processors.get("svg")
                .getDocument(graphics.getCommands(), new PageSize(0, 0, width(), height()))
                .writeTo(out);
        // Only our font is named; where it is missing, any without serifs will do.
        return out.toString(StandardCharsets.UTF_8)
                .replaceAll("(font-family:&quot;[^&]*&quot;)", "$1,sans-serif")
                .replaceAll("(\\.\\d\\d)\\d+", "$1");
    }
}
