import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Makes classes for ints of classes for longs: `java Twins.java SOURCES TARGET`.
///
/// Arrays of longs become arrays of ints, and variables with the names of an element become ints. Where the two classes
/// differ, the one for longs says how:
///
/// ```java
/// return false; // int: return true;
/// // only longs
/// ...
/// // ints too
/// ```
class Twins {
    private static final String ROOM = "io/samplesort/cpu/";
    private static final List<String> CLASSES =
            List.of("lanes/LongDescent", "lanes/LongLane", "lanes/LongRuns", "leaf/LongCellSort");
    private static final String ELEMENTS = "element|value|least|greatest|first|second|endOfFirst|endOfSecond|ignored";

    public static void main(String[] folders) throws IOException {
        for (String name : CLASSES) {
            String twin = ofInts(Files.readString(Path.of(folders[0], ROOM + name + ".java")));
            Path file = Path.of(folders[1], ROOM + name.replace("/Long", "/Int") + ".java");
            // The compiler takes a file that is written again for one that has changed.
            if (!Files.exists(file) || !Files.readString(file).equals(twin)) {
                Files.createDirectories(file.getParent());
                Files.writeString(file, twin);
            }
        }
    }

    private static String ofInts(String longs) {
        return longs.replaceAll("(?m)^ *// only longs\n(?s:.*?)// ints too\n", "")
                .replaceAll("(?m)^( *).* // int: (.*)$", "$1$2")
                .replaceAll("\\blong(?=\\[)", "int")
                .replaceAll("\\blong (?=(" + ELEMENTS + ")\\b)", "int ")
                .replaceAll("\\bLong\\.", "Integer.")
                .replaceAll("\\bLong(?=[A-Z])", "Int")
                .replaceAll("(?<=[a-z])Longs\\b", "Ints")
                // Its documentation, and casts that ints do not need.
                .replaceFirst(
                        "(?m)(^///.*\n)*((public )?final class Int(\\w+))",
                        "/// Made of [Long$4] by `scripts/Twins.java`.\n@SuppressWarnings(\"cast\")\n$2");
    }
}
