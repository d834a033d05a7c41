import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

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
            List.of("numbers/LongDescent", "numbers/LongLane", "numbers/LongRuns", "leaf/LongCellSort");
    private static final String ELEMENTS = "element|value|least|greatest|first|second|endOfFirst|endOfSecond|ignored";

    public static void main(String[] folders) throws IOException {
        List<Path> twins = new ArrayList<>();
        for (String name : CLASSES) {
            String twin = ofInts(Files.readString(Path.of(folders[0], ROOM + name + ".java")));
            Path file = Path.of(folders[1], ROOM + name.replace("/Long", "/Int") + ".java");
            twins.add(file);
            // The compiler takes a file that is written again for one that has changed.
            if (!Files.exists(file) || !Files.readString(file).equals(twin)) {
                Files.createDirectories(file.getParent());
                Files.writeString(file, twin);
            }
        }
        try (Stream<Path> files = Files.walk(Path.of(folders[1]))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                // Its class has been moved.
                if (!twins.contains(file)) {
                    Files.delete(file);
                }
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
