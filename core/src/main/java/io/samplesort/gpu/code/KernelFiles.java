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

/// The files of the kernels in the jar. Each phase has a file, and so has each part that phases share. Each file
/// includes what it uses, so a program consists of its phases and of what they include.
public final class KernelFiles {
    private static final String FOLDER = "/io/samplesort/gpu/";

    private static final String INCLUDE = "#include \"";

    private static final Map<String, SourceFile> FILES = new ConcurrentHashMap<>();

    /// A file of the kernels.
    ///
    /// @param stamp    what identifies its text: its length and two checksums of different kinds, each of which misses
    ///     one change in four billion
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

    /// Adds files by their names, with all that they include. Texts that are in `texts` already stay.
    static void addTo(Map<String, String> texts, List<String> names) {
        for (String name : names) {
            if (!texts.containsKey(name)) {
                SourceFile file = file(name);
                texts.put(name, file.text);
                addTo(texts, file.included);
            }
        }
    }

    /// Returns the files that a text includes, in some variant or in all. Includes stand at the top of a text, and only
    /// comments come between them. Searching whole texts would take long in a process that has just started.
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

    /// Returns a short stamp that identifies the text of a header that is a file of the kernels. Returns null if the
    /// header has another text, such as one that was made for a program.
    @SuppressWarnings("ReferenceEquality") // A process that has just started compares texts slowly.
    public static String stamp(String header, String text) {
        SourceFile file = FILES.get(header);
        return file != null && file.text == text ? file.stamp : null;
    }

    /// Returns the stamp of a file.
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
