package io.samplesort.bench.plot;

import java.awt.Font;
import java.awt.image.BufferedImage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/// The font of all pictures. It is one of our libraries, because a GPU host may have no fonts and no fontconfig, and
/// then the JDK cannot draw a single letter. With it, pictures also look the same wherever they are drawn.
public final class PictureFont {
    private static final String RESOURCES = "/fonts/ttf/OpenSans/";
    private static final String REGULAR = "OpenSans-Regular";
    private static final String BOLD = "OpenSans-Bold";
    private static final List<String> LOGICAL_FONTS =
            List.of("serif", "sansserif", "monospaced", "dialog", "dialoginput");

    private static boolean isInUse;

    private PictureFont() {}

    /// Makes the JDK use this font for all its logical fonts. The JDK looks for fonts only once, so this must be called
    /// before the first picture is made, and not only before it is drawn.
    ///
    /// @throws IOException if the font cannot be unpacked, or if Java cannot draw letters at all, as where the package
    ///     of a JDK has come without the libraries that it needs for them
    public static synchronized void use() throws IOException {
        if (isInUse) {
            return;
        }
        // The environment may name a display that does not exist.
        System.setProperty("java.awt.headless", "true");
        // Other systems always have fonts, and their configuration looks different.
        if (System.getProperty("os.name").equals("Linux")) {
            System.setProperty("sun.awt.fontconfig", configuration().toString());
        }
        try {
            new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB)
                    .createGraphics()
                    .getFontMetrics(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
        } catch (LinkageError e) {
            throw new IOException(
                    "this Java draws no letters, so there can be no pictures: on Debian and Ubuntu install libharfbuzz0b"
                            + " and libfreetype6 (" + e.getMessage() + ")",
                    e);
        }
        isInUse = true;
    }

    /// Writes a file that the JDK reads instead of asking fontconfig. It names font files, so these cannot stay in a
    /// jar.
    private static Path configuration() throws IOException {
        Path folder = Files.createTempDirectory("samplesort-font");
        folder.toFile().deleteOnExit();
        Properties lines = new Properties();
        lines.setProperty("version", "1");
        lines.setProperty("sequence.allfonts", "all");
        for (String font : LOGICAL_FONTS) {
            lines.setProperty(font + ".plain.all", REGULAR);
            lines.setProperty(font + ".italic.all", REGULAR);
            lines.setProperty(font + ".bold.all", BOLD);
            lines.setProperty(font + ".bolditalic.all", BOLD);
        }
        for (String face : List.of(REGULAR, BOLD)) {
            Path file = folder.resolve(face + ".ttf");
            file.toFile().deleteOnExit();
            try (InputStream in = PictureFont.class.getResourceAsStream(RESOURCES + face + ".ttf")) {
                if (in == null) {
                    throw new FileNotFoundException(
                            "no " + RESOURCES + face + ".ttf on the class path: ph-fonts-open-sans.jar is missing");
                }
                Files.copy(in, file);
            }
            lines.setProperty("filename." + face, file.toString());
        }
        Path configuration = folder.resolve("fontconfig.properties");
        configuration.toFile().deleteOnExit();
        try (OutputStream out = Files.newOutputStream(configuration)) {
            lines.store(out, null);
        }
        return configuration;
    }
}
