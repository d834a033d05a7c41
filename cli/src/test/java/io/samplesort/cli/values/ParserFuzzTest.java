package io.samplesort.cli.values;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cli.data.RecordLayout;
import io.samplesort.types.FieldOrder;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// What parsers of options make of texts that are almost right: a value, or one line that says what is wrong.
class ParserFuzzTest {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
    private static final int CASES = 4000;
    private static final int MOST_EDITS = 4;
    private static final String LETTERS = "abdefgiknostuxy_:;,[]()0123456789^-+.KMGTBi \t\n\"'\0äß\uFFFD\uD800%${}@";

    private record Parser(String name, ITypeConverter<?> converter, List<String> examples) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Parser> parsers() {
        List<String> numbers = List.of("1000000", "16M", "2^24", "1T", "9223372036854775807", "0", "63^10");
        return List.of(
                new Parser(
                        "layout",
                        new LayoutConverter(),
                        List.of(
                                "price:f64,id:i32,_:4,name:bytes[16]",
                                "gensort",
                                "a:u8,b:bool,_:2,c:f32",
                                "k:bytes[1]")),
                new Parser(
                        "order",
                        new OrderConverter(),
                        List.of("price desc, id", "a asc nulls last by b, c desc nulls first by d", "id")),
                new Parser("size", new SizeConverter(), List.of("4G", "4GiB", "512MB", "2^30", "99999999999", "1T")),
                new Parser("count", new CountConverter(), numbers),
                new Parser("threads", new ThreadsConverter(), List.of("1", "64", "999999999", "2147483647")),
                new Parser("distribution", new DistributionConverter(), List.of("uniform", "root-duplicates", "zipf")),
                new Parser("type", new KeyTypeConverter(), List.of("u64", "f32", "i8")),
                new Parser("index type", new IndexTypeConverter(), List.of("i32", "i64")),
                new Parser(
                        "device",
                        new DeviceConverter(),
                        List.of("cpu", "gpu", "gpu:12", "auto", "gpus", "gpu:0,gpu:2")));
    }

    @ParameterizedTest
    @MethodSource("parsers")
    void aValueOrOneLine(Parser parser) {
        checkTexts(parser, CASES);
    }

    private static void checkTexts(Parser parser, int cases) {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < cases; i++) {
            String text = mutated(parser.examples.get(random.nextInt(parser.examples.size())), random);
            String replay = parser + " '" + text + "', case " + i + "; replay with -Dtests.seed=" + SEED;
            try {
                assertThat((Object) parser.converter.convert(text)).as(replay).isNotNull();
            } catch (TypeConversionException e) {
                assertThat(e.getMessage()).as(replay).isNotBlank();
            } catch (Exception | StackOverflowError e) {
                throw new AssertionError(replay, e);
            }
        }
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @MethodSource("parsers")
    void aValueOrOneLineOfManyTexts(Parser parser) {
        checkTexts(parser, 10 * CASES);
    }

    /// A layout and an order that are both right may not fit each other.
    @ParameterizedTest
    @MethodSource("layouts")
    void ordersFitLayoutsOrAreRefused(String layoutText) throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        RecordLayout layout = new LayoutConverter().convert(layoutText);
        List<String> fields = List.of("a", "b", "c", "d", "_", "missing");
        List<String> rests = List.of("", " desc", " asc", " nulls last by b", " desc nulls first by c");
        for (int i = 0; i < CASES / 4; i++) {
            StringBuilder text = new StringBuilder();
            for (int terms = random.nextInt(1, 4); terms > 0; terms--) {
                text.append(text.isEmpty() ? "" : ",")
                        .append(fields.get(random.nextInt(fields.size())))
                        .append(rests.get(random.nextInt(rests.size())));
            }
            String replay = layoutText + " by " + text + "; replay with -Dtests.seed=" + SEED;
            try {
                FieldOrder order = new OrderConverter().convert(text.toString());
                assertThat(layout.order(order)).as(replay).isNotNull();
            } catch (TypeConversionException | IllegalArgumentException e) {
                assertThat(e.getMessage()).as(replay).isNotBlank().doesNotContain("\n");
            }
        }
    }

    static List<String> layouts() {
        return List.of("a:u8,b:bool,c:bytes[1],d:bytes[4]", "a:f64,b:i32,c:u16,_:2,d:f32,_:4", "gensort");
    }

    private static String mutated(String text, SplittableRandom random) {
        StringBuilder mutated = new StringBuilder(text);
        for (int edits = random.nextInt(MOST_EDITS + 1); edits > 0; edits--) {
            int at = random.nextInt(mutated.length() + 1);
            char letter = LETTERS.charAt(random.nextInt(LETTERS.length()));
            switch (random.nextInt(5)) {
                case 0 -> mutated.insert(at, letter);
                case 1 -> mutated.delete(at, Math.min(mutated.length(), at + random.nextInt(1, 4)));
                case 2 -> mutated.insert(at, mutated.substring(random.nextInt(at + 1), at));
                case 3 -> mutated.setLength(at);
                default -> {
                    if (at < mutated.length()) {
                        mutated.setCharAt(at, letter);
                    }
                }
            }
        }
        return mutated.toString();
    }
}
