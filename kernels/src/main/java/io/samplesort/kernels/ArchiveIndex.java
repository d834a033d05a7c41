package io.samplesort.kernels;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.StringTokenizer;

/// The index of the archive of one architecture: a text whose first line names the compiler, followed by a line for
/// each program. Machine code that several programs share is stored once.
///
/// The code of a family of programs is similar, so it is compressed together. That makes it a tenth as large as when
/// each program is compressed alone.
public final class ArchiveIndex {
    /// The folder of the archives, with one folder for each architecture. It is not the name of a package, so that
    /// classes of other modules may read it.
    public static final String FOLDER = "META-INF/samplesort/kernels/";

    /// The name of the index in the folder of an architecture.
    public static final String NAME = "index";

    /// The suffix of the file of a family.
    public static final String SUFFIX = ".xz";

    private static final String FIRST = "NVRTC ";

    private final String compilerVersion;
    private final Map<Long, Place> places = new HashMap<>();

    /// The place of the code of a program.
    ///
    /// @param family   the file, without its suffix
    /// @param offset   where it begins in the decompressed file
    /// @param length   its bytes
    /// @param checksum the CRC-32 of these bytes
    public record Place(String family, int offset, int length, long checksum) {}

    public ArchiveIndex(String compilerVersion) {
        this.compilerVersion = compilerVersion;
    }

    /// Reads what [#toString] has written.
    ///
    /// @throws IOException if the text is something else
    static ArchiveIndex parse(String text) throws IOException {
        String[] lines = text.split("\n");
        if (!lines[0].startsWith(FIRST)) {
            throw new IOException("this is no index of kernels: " + lines[0]);
        }
        ArchiveIndex index = new ArchiveIndex(lines[0].substring(FIRST.length()));
        for (int i = 1; i < lines.length; i++) {
            StringTokenizer words = new StringTokenizer(lines[i]);
            if (words.countTokens() != 5) {
                throw new IOException("line " + (i + 1) + " of an index of kernels: " + lines[i]);
            }
            try {
                index.put(
                        Long.parseUnsignedLong(words.nextToken(), 16),
                        new Place(
                                words.nextToken(),
                                Integer.parseInt(words.nextToken()),
                                Integer.parseInt(words.nextToken()),
                                Long.parseLong(words.nextToken(), 16)));
            } catch (NumberFormatException e) {
                throw new IOException("line " + (i + 1) + " of an index of kernels: " + lines[i], e);
            }
        }
        return index;
    }

    public void put(long key, Place place) {
        places.put(key, place);
    }

    String compilerVersion() {
        return compilerVersion;
    }

    /// Returns the place of the code of a program; null if it is not there.
    Place get(long key) {
        return places.get(key);
    }

    /// Returns the text of this index, with the programs in the order of their keys.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(FIRST).append(compilerVersion).append('\n');
        places.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(each -> text.append("%016x %s %d %d %08x\n"
                        .formatted(
                                each.getKey(),
                                each.getValue().family(),
                                each.getValue().offset(),
                                each.getValue().length(),
                                each.getValue().checksum())));
        return text.toString();
    }
}
