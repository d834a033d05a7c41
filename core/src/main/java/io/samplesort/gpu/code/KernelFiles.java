package io.samplesort.gpu.code;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/// The files of the kernels, as they lie in the jar. Each phase has one, and so has each part that phases are made of.
/// Each includes what it uses, so a program is made of its phases and of what these include.
public final class KernelFiles {
    private static final String FOLDER = "/io/samplesort/gpu/";

    private static final String INCLUDE = "#include \"";

    private static final Map<String, SourceFile> FILES = new ConcurrentHashMap<>();

    /// A file of the kernels.
    ///
    /// @param stamp    what stands for its text: its length and two checksums of other kinds, each of which misses one
    ///     change in four billion
    /// @param included the files that it includes
    private record SourceFile(String text, String stamp, List<String> included) {
        static SourceFile of(byte[] bytes) {
            CRC32 first = new CRC32();
            first.update(bytes);
            CRC32C second = new CRC32C();
            second.update(bytes);
            String stamp = bytes.length + " " + first.getValue() + " " + second.getValue();
            String text = new String(bytes, StandardCharsets.UTF_8);
            return new SourceFile(text, stamp, KernelFiles.included(text));
        }
    }

    private KernelFiles() {}

    /// Adds files by their names, and all that they include. What is in `texts` already stays.
    static void addTo(Map<String, String> texts, List<String> names) {
        for (String name : names) {
            if (!texts.containsKey(name)) {
                SourceFile file = file(name);
                texts.put(name, file.text);
                addTo(texts, file.included);
            }
        }
    }

    /// Returns the files that a text includes, in some variant or in all. The first lines of a text say so, before
    /// there is anything else than comments: to look through all texts takes a young process long.
    static List<String> included(String text) {
        List<String> included = new ArrayList<>();
        int begin = 0;
        while (text.startsWith("#", begin) || text.startsWith("//", begin) || text.startsWith("\n", begin)) {
            int end = text.indexOf('\n', begin);
            if (text.startsWith(INCLUDE, begin)) {
                included.add(text.substring(begin + INCLUDE.length(), end - 1));
            }
            begin = end + 1;
        }
        return included;
    }

    /// Returns what stands for the text of a header that is a file of the kernels: the text is the same as long as this
    /// is, and it is short. Returns null if the header has another text, as one that was made for a program.
    @SuppressWarnings("ReferenceEquality") // To compare the text of all files takes a young process long.
    public static String stamp(String header, String text) {
        SourceFile file = FILES.get(header);
        return file != null && file.text == text ? file.stamp : null;
    }

    /// Returns what stands for the text of a file.
    static String stamp(String name) {
        return file(name).stamp;
    }

    private static SourceFile file(String name) {
        return FILES.computeIfAbsent(name, KernelFiles::read);
    }

    private static SourceFile read(String name) {
        try (InputStream in = KernelFiles.class.getResourceAsStream(FOLDER + name)) {
            if (in == null) {
                throw new IllegalStateException("the kernel source " + name + " is missing from the samplesort jar");
            }
            return SourceFile.of(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the kernel source " + name, e);
        }
    }
}
