package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Selections on one engine: the first and the last elements, their indexes and payloads, and elements of given ranks
/// are those of the JDK's stable sort, and the input stays as it is.
public abstract class SelectionContract {
    private static final int SEED = 61;

    /// For this k there are payloads, too.
    private static final int PAYLOADS_K = 100;

    private static final ElementType PAYLOAD = ElementType.of(MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(3, ValueLayout.JAVA_BYTE).withName("odd")));

    /// Memory where a selector works, which these methods bring segments to and back from.
    public interface Memory {
        void select(
                Selector selector, List<MemorySegment> columns, long k, boolean isLast, List<MemorySegment> targets);

        void argselect(Selector selector, MemorySegment elements, long k, boolean isLast, MemorySegment indexes);

        void nth(Selector selector, MemorySegment elements, long rank, MemorySegment target);

        void quantiles(Selector selector, MemorySegment elements, MemorySegment target, double... quantiles);
    }

    protected abstract SorterBuilder builder();

    protected abstract Memory memory();

    /// How many elements there are, in ascending order. The last is so large that not all of them are sorted.
    protected abstract int[] sizes();

    /// Keys, in either direction, on some input distributions.
    public record Numbers(KeyType key, boolean isDescending, List<InputDistribution> distributions) {
        RecordCase elements() {
            return new RecordCase(ElementType.of(key.layout()), ContractTypes.order(key, isDescending));
        }

        @Override
        public String toString() {
            return key + (isDescending ? " descending" : "");
        }
    }

    protected static List<Numbers> numbers() {
        List<InputDistribution> few =
                List.of(InputDistribution.UNIFORM, InputDistribution.ALL_EQUAL, InputDistribution.ALMOST_SORTED);
        return List.of(
                new Numbers(KeyType.F32, false, few),
                new Numbers(KeyType.I64, false, List.of(InputDistribution.UNIFORM, InputDistribution.REVERSE)),
                new Numbers(KeyType.F64, true, List.of(InputDistribution.TWO_DUPLICATES)),
                new Numbers(KeyType.U8, false, List.of(InputDistribution.UNIFORM)));
    }

    /// All types in both directions, each on another input distribution.
    static List<Numbers> allNumbers() {
        InputDistribution[] all = InputDistribution.values();
        List<Numbers> numbers = new ArrayList<>();
        for (KeyType key : KeyType.values()) {
            for (boolean isDescending : new boolean[] {false, true}) {
                numbers.add(new Numbers(key, isDescending, List.of(all[numbers.size() % all.length])));
            }
        }
        return numbers;
    }

    static List<RecordCase> records() {
        return RecordCase.named("all kinds of narrow fields", "sort benchmark", "custom, by index");
    }

    static List<RecordCase> otherRecords() {
        return RecordCase.allBut(records());
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void selectsNumbers(Numbers numbers) {
        RecordCase elements = numbers.elements();
        try (Selectors selectors = new Selectors(elements);
                Arena arena = Arena.ofShared()) {
            for (InputDistribution distribution : numbers.distributions()) {
                for (int size : sizes()) {
                    MemorySegment input =
                            arena.allocate((long) size * numbers.key().byteSize(), 16);
                    distribution.fill(input, numbers.key(), SEED);
                    check(selectors, elements, input, size + " " + numbers + ", " + distribution);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("allNumbers")
    @Tag("exhaustive")
    void selectsAllNumbers(Numbers numbers) {
        selectsNumbers(numbers);
    }

    @ParameterizedTest
    @MethodSource("records")
    void selectsRecords(RecordCase elements) {
        try (Selectors selectors = new Selectors(elements);
                Arena arena = Arena.ofShared()) {
            for (int size : sizes()) {
                MemorySegment input =
                        arena.allocate((long) size * elements.type().byteSize(), 16);
                elements.fill(input, new Random(SEED + size));
                check(selectors, elements, input, size + " " + elements);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("otherRecords")
    @Tag("exhaustive")
    void selectsOtherRecords(RecordCase elements) {
        selectsRecords(elements);
    }

    /// Numbers that are not equal to themselves, and zeros of both signs, have places of their own.
    @Test
    void specialNumbers() {
        RecordCase elements = new RecordCase(ElementType.FLOAT, Order.natural());
        float[] specials = {Float.NaN, -0f, 0f, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY, Float.MIN_VALUE};
        int size = sizes()[sizes().length - 1];
        float[] numbers = new float[size];
        for (int i = 0; i < size; i++) {
            numbers[i] = specials[i % specials.length];
        }
        try (Selectors selectors = new Selectors(elements)) {
            check(selectors, elements, MemorySegment.ofArray(numbers), "special numbers");
        }
    }

    /// Orders that contradict themselves select some elements, each once.
    @Test
    void anOrderThatIsNone() {
        Order order = Order.custom("(a ^ b * 0x9e3779b9) >> 8 & 1", (a, b) -> 1);
        int size = sizes()[sizes().length - 1];
        int k = 100;
        int[] numbers = new Random(SEED).ints(size).toArray();
        int[] indexes = new int[k];
        try (Selector selector = builder().order(order).buildSelector(ElementType.INT)) {
            memory().argselect(selector, MemorySegment.ofArray(numbers), k, false, MemorySegment.ofArray(indexes));
        }
        assertThat(Arrays.stream(indexes).distinct().filter(i -> i >= 0 && i < size))
                .hasSize(k);
    }

    /// A selector of elements, and one of the same with payloads.
    private final class Selectors implements AutoCloseable {
        private final Selector alone;
        private final Selector withPayloads;

        Selectors(RecordCase elements) {
            alone = builder().order(elements.order()).buildSelector(elements.type());
            withPayloads = builder()
                    .order(elements.order())
                    .payloads(PAYLOAD, ElementType.LONG)
                    .buildSelector(elements.type());
        }

        @Override
        public void close() {
            alone.close();
            withPayloads.close();
        }
    }

    private void check(Selectors selectors, RecordCase elements, MemorySegment input, String what) {
        byte[] before = input.toArray(ValueLayout.JAVA_BYTE);
        int[] order = elements.stableOrder(input);
        int size = order.length;
        LongStream.of(0, 1, 2, PAYLOADS_K, size / 9, size / 2, size - 1, size, size + 3)
                .filter(k -> k >= 0)
                .distinct()
                .forEach(k -> {
                    for (boolean isLast : new boolean[] {false, true}) {
                        checkK(selectors, elements, input, order, k, isLast, what);
                    }
                });
        LongStream.of(0, 1, size / 3, size / 2, size - 1)
                .filter(rank -> rank >= 0 && rank < size)
                .distinct()
                .forEach(rank -> checkNth(selectors.alone, elements, input, order, rank, what));
        if (size > 0) {
            checkQuantiles(selectors.alone, elements, input, order, what);
        }
        assertThat(Arrays.equals(input.toArray(ValueLayout.JAVA_BYTE), before))
                .as("the input is unchanged, %s", what)
                .isTrue();
    }

    private void checkK(
            Selectors selectors,
            RecordCase elements,
            MemorySegment input,
            int[] order,
            long k,
            boolean isLast,
            String what) {
        String whatK = (isLast ? "last " : "first ") + k + " of " + what;
        int some = (int) Math.min(k, order.length);
        int[] expected =
                isLast ? Arrays.copyOfRange(order, order.length - some, order.length) : Arrays.copyOf(order, some);
        int bytes = elements.type().byteSize();
        MemorySegment target = MemorySegment.ofArray(new byte[Math.toIntExact(k * bytes)]);
        memory().select(selectors.alone, List.of(input), k, isLast, List.of(target));
        assertGathered(input, bytes, expected, target, whatK);

        boolean isLong = k % 2 == 0;
        MemorySegment indexes =
                isLong ? MemorySegment.ofArray(new long[(int) k]) : MemorySegment.ofArray(new int[(int) k]);
        memory().argselect(selectors.alone, input, k, isLast, indexes);
        long[] found = new long[some];
        for (int i = 0; i < some; i++) {
            found[i] =
                    isLong ? indexes.getAtIndex(ValueLayout.JAVA_LONG, i) : indexes.getAtIndex(ValueLayout.JAVA_INT, i);
        }
        assertThat(Arrays.equals(found, Arrays.stream(expected).asLongStream().toArray()))
                .as("indexes of the %s", whatK)
                .isTrue();
        if (k == PAYLOADS_K) {
            checkPayloads(selectors.withPayloads, elements, input, expected, isLast, whatK);
        }
    }

    private void checkPayloads(
            Selector selector, RecordCase elements, MemorySegment input, int[] expected, boolean isLast, String what) {
        int bytes = elements.type().byteSize();
        int count = (int) (input.byteSize() / bytes);
        MemorySegment odd = MemorySegment.ofArray(new byte[count * PAYLOAD.byteSize()]);
        MemorySegment wide = MemorySegment.ofArray(new long[count]);
        Random random = new Random(SEED);
        for (int i = 0; i < count; i++) {
            odd.set(ValueLayout.JAVA_BYTE, (long) i * PAYLOAD.byteSize() + i % 3, (byte) random.nextInt());
            wide.setAtIndex(ValueLayout.JAVA_LONG, i, random.nextLong());
        }
        MemorySegment target = MemorySegment.ofArray(new byte[PAYLOADS_K * bytes]);
        MemorySegment oddTarget = MemorySegment.ofArray(new byte[PAYLOADS_K * PAYLOAD.byteSize()]);
        MemorySegment wideTarget = MemorySegment.ofArray(new long[PAYLOADS_K]);
        memory().select(
                        selector,
                        List.of(input, odd, wide),
                        PAYLOADS_K,
                        isLast,
                        List.of(target, oddTarget, wideTarget));
        assertGathered(input, bytes, expected, target, what + " with payloads");
        assertGathered(odd, PAYLOAD.byteSize(), expected, oddTarget, "odd payloads of the " + what);
        assertGathered(wide, Long.BYTES, expected, wideTarget, "wide payloads of the " + what);
    }

    private void checkNth(
            Selector selector, RecordCase elements, MemorySegment input, int[] order, long rank, String what) {
        int bytes = elements.type().byteSize();
        MemorySegment target = MemorySegment.ofArray(new byte[bytes]);
        memory().nth(selector, input, rank, target);
        assertGathered(input, bytes, new int[] {order[(int) rank]}, target, "rank " + rank + " of " + what);
    }

    private void checkQuantiles(Selector selector, RecordCase elements, MemorySegment input, int[] order, String what) {
        int bytes = elements.type().byteSize();
        int size = order.length;
        MemorySegment target = MemorySegment.ofArray(new byte[4 * bytes]);
        memory().quantiles(selector, input, target, 1, 0.25, 0, 0.5);
        int[] expected = {
            order[size - 1], order[(size + 3) / 4 - 1], order[0], order[(size + 1) / 2 - 1],
        };
        assertGathered(input, bytes, expected, target, "quantiles of " + what);
    }

    private static void assertGathered(
            MemorySegment column, int bytes, int[] indexes, MemorySegment target, String what) {
        MemorySegment expected = MemorySegment.ofArray(new byte[indexes.length * bytes]);
        for (int i = 0; i < indexes.length; i++) {
            MemorySegment.copy(column, (long) indexes[i] * bytes, expected, (long) i * bytes, bytes);
        }
        assertThat(target.asSlice(0, expected.byteSize()).mismatch(expected))
                .as("first byte of the %s that is wrong", what)
                .isEqualTo(-1);
        byte[] actual = target.toArray(ValueLayout.JAVA_BYTE);
        for (int i = indexes.length * bytes; i < actual.length; i++) {
            assertThat(actual[i]).as("behind the %s", what).isZero();
        }
    }
}
