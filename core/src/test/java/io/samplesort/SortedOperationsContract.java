package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.memory.SetOperation;
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
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What every engine promises of sorted keys: each operation gives what a naive one by the comparator of the order
/// gives, with the payloads of the same elements, and writes nothing beyond its targets.
public abstract class SortedOperationsContract {
    private static final int SEED = 67;
    private static final int GUARD_BYTES = 64;

    /// More elements than this are tried in fewer ways, since the naive operations take long.
    private static final int LARGE = 10_000;
    private static final byte GUARD = 0x5a;

    private static final ElementType ODD = ElementType.of(MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(3, ValueLayout.JAVA_BYTE).withName("odd")));

    private static final List<ElementType> PAYLOADS = List.of(ElementType.LONG, ODD);

    /// Memory where the operations work, which these methods bring segments to and back from. The first of some columns
    /// has the keys.
    public interface Memory {
        void merge(SortedOperations operations, List<List<MemorySegment>> inputs, List<MemorySegment> targets);

        long unique(SortedOperations operations, List<MemorySegment> columns, List<MemorySegment> targets);

        long counts(
                SortedOperations operations,
                MemorySegment keys,
                MemorySegment target,
                ElementType countType,
                MemorySegment counts);

        long groups(SortedOperations operations, MemorySegment keys, ElementType offsetType, MemorySegment offsets);

        void bounds(
                SortedOperations operations,
                MemorySegment keys,
                MemorySegment queries,
                MemorySegment bounds,
                boolean isUpper);

        long combine(
                SortedOperations operations,
                SetOperation operation,
                List<MemorySegment> first,
                List<MemorySegment> second,
                List<MemorySegment> targets);

        long firstOutOfOrder(SortedOperations operations, MemorySegment keys);
    }

    protected abstract SorterBuilder builder();

    protected abstract Memory memory();

    /// How many elements there are, in ascending order.
    protected abstract int[] sizes();

    /// Whether memory of no elements exists. If not, each target has room for at least one.
    protected boolean hasEmptyMemory() {
        return true;
    }

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
                List.of(InputDistribution.UNIFORM, InputDistribution.ALL_EQUAL, InputDistribution.ZIPF);
        return List.of(
                new Numbers(KeyType.F32, false, few),
                new Numbers(KeyType.I64, false, few),
                new Numbers(KeyType.U32, true, List.of(InputDistribution.TWO_DUPLICATES)),
                new Numbers(KeyType.F64, true, List.of(InputDistribution.ROOT_DUPLICATES)),
                new Numbers(KeyType.U8, false, List.of(InputDistribution.UNIFORM)),
                new Numbers(KeyType.I16, true, List.of(InputDistribution.UNIFORM)));
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
        return RecordCase.named("all kinds of narrow fields", "custom, moved", "custom numbers");
    }

    static List<RecordCase> otherRecords() {
        return RecordCase.allBut(records());
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void worksOnNumbers(Numbers numbers) {
        for (InputDistribution distribution : numbers.distributions()) {
            boolean isFirst = distribution == numbers.distributions().getFirst();
            int[] tried = Arrays.stream(sizes())
                    .filter(size -> isFirst || size <= LARGE)
                    .toArray();
            check(numbers.elements(), numbers + ", " + distribution, tried, (input, seed) -> {
                distribution.fill(input, numbers.key(), seed);
            });
        }
    }

    @ParameterizedTest
    @MethodSource("allNumbers")
    @Tag("exhaustive")
    void worksOnAllNumbers(Numbers numbers) {
        worksOnNumbers(numbers);
    }

    @ParameterizedTest
    @MethodSource("records")
    void worksOnRecords(RecordCase elements) {
        check(elements, elements.toString(), (input, seed) -> elements.fill(input, new Random(seed)));
    }

    @ParameterizedTest
    @MethodSource("otherRecords")
    @Tag("exhaustive")
    void worksOnOtherRecords(RecordCase elements) {
        worksOnRecords(elements);
    }

    /// NaNs and zeros of both signs have places of their own.
    @Test
    void specialNumbers() {
        double[] specials = {
            Double.NaN,
            Double.longBitsToDouble(0x7ff8_0000_0000_0001L),
            Double.longBitsToDouble(0xfff8_0000_0000_0000L),
            -0.0,
            0.0,
            Double.NEGATIVE_INFINITY,
            Double.POSITIVE_INFINITY,
            Double.MIN_VALUE
        };
        check(new RecordCase(ElementType.DOUBLE, Order.natural()), "special numbers", (input, seed) -> {
            Random random = new Random(seed);
            for (long i = 0; i < input.byteSize() / Double.BYTES; i++) {
                input.setAtIndex(ValueLayout.JAVA_DOUBLE, i, specials[random.nextInt(specials.length)]);
            }
        });
    }

    /// Fills memory with elements in any order.
    private interface Fill {
        void fill(MemorySegment elements, int seed);
    }

    /// An operand: its columns, and the columns as the naive operations see them.
    private final class Operand {
        final List<MemorySegment> columns = new ArrayList<>();
        final List<MemorySegment> slices = new ArrayList<>();
        final int count;

        /// @param other an operand of whose keys this one takes a third; null for none
        Operand(Case c, int count, int seed, boolean isSorted, Operand other) {
            int bytes = c.elements.type().byteSize();
            MemorySegment keys = c.arena.allocate((long) count * bytes, 16);
            if (count > 0) {
                c.fill.fill(keys, seed);
            }
            Random random = new Random(seed);
            for (int i = 0; i < count && other != null && other.count > 0; i += 3) {
                MemorySegment.copy(
                        other.columns.getFirst(),
                        (long) random.nextInt(other.count) * bytes,
                        keys,
                        (long) i * bytes,
                        bytes);
            }
            if (isSorted) {
                keys.copyFrom(MemorySegment.ofArray(RecordCase.gathered(keys, bytes, c.elements.stableOrder(keys))));
            }
            MemorySegment wide = c.arena.allocate((long) count * Long.BYTES, 16);
            MemorySegment odd = c.arena.allocate((long) count * ODD.byteSize(), 16);
            for (int i = 0; i < count; i++) {
                wide.setAtIndex(ValueLayout.JAVA_LONG, i, random.nextLong());
                odd.set(ValueLayout.JAVA_SHORT_UNALIGNED, (long) i * ODD.byteSize(), (short) random.nextInt());
                odd.set(ValueLayout.JAVA_BYTE, (long) i * ODD.byteSize() + 2, (byte) random.nextInt());
                slices.add(keys.asSlice((long) i * bytes, bytes));
            }
            this.count = count;
            columns.addAll(List.of(keys, wide, odd));
        }

        MemorySegment keys() {
            return columns.getFirst();
        }
    }

    /// An element of an operand.
    private record Element(Operand operand, int index) {
        MemorySegment key() {
            return operand.slices.get(index);
        }
    }

    /// What all checks of one kind of element have in common.
    private final class Case implements AutoCloseable {
        final RecordCase elements;
        final String what;
        final Fill fill;
        final Comparator<MemorySegment> comparator;
        final SortedOperations alone;
        final SortedOperations withPayloads;
        Arena arena = Arena.ofShared();

        Case(RecordCase elements, String what, Fill fill) {
            this.elements = elements;
            this.what = what;
            this.fill = fill;
            this.comparator = elements.order().toComparator(elements.type());
            this.alone = builder().order(elements.order()).buildSortedOperations(elements.type());
            this.withPayloads = builder()
                    .order(elements.order())
                    .payloads(PAYLOADS.toArray(ElementType[]::new))
                    .buildSortedOperations(elements.type());
        }

        int compare(Element a, Element b) {
            return comparator.compare(a.key(), b.key());
        }

        void forget() {
            arena.close();
            arena = Arena.ofShared();
        }

        @Override
        public void close() {
            arena.close();
            alone.close();
            withPayloads.close();
        }
    }

    private void check(RecordCase elements, String what, Fill fill) {
        check(elements, what, sizes(), fill);
    }

    private void check(RecordCase elements, String what, int[] tried, Fill fill) {
        try (Case c = new Case(elements, what, fill)) {
            for (int size : tried) {
                if (size == 0 && !hasEmptyMemory()) {
                    continue;
                }
                checkRuns(c, new Operand(c, size, SEED, true, null));
                checkBounds(c, size);
                checkSets(c, size);
                checkMerges(c, size);
                c.forget();
            }
        }
    }

    private void checkMerges(Case c, int size) {
        Random random = new Random(size);
        List<int[]> shapes = new ArrayList<>(List.of(
                new int[] {Math.max(1, size / 50), size},
                random.ints(40, 1, Math.max(2, size / 10)).toArray()));
        if (size <= LARGE) {
            shapes.addAll(List.of(new int[] {size}, new int[] {size, size + 1}, new int[] {size, 1, 2}));
        }
        if (hasEmptyMemory() && size <= LARGE) {
            shapes.addAll(List.of(new int[0], new int[] {0}, new int[] {0, size, 0, 3}));
        }
        for (int[] shape : shapes) {
            List<Operand> operands = IntStream.range(0, shape.length)
                    .mapToObj(i -> new Operand(c, shape[i], SEED + i, true, null))
                    .toList();
            List<Element> expected = operands.stream()
                    .flatMap(o -> IntStream.range(0, o.count).mapToObj(i -> new Element(o, i)))
                    .sorted(c::compare)
                    .toList();
            String what = "merge of " + Arrays.toString(shape) + " " + c.what;
            for (int columns : new int[] {1, 3}) {
                Targets targets = new Targets(c, columns, expected.size());
                memory().merge(
                                columns == 1 ? c.alone : c.withPayloads,
                                operands.stream()
                                        .map(o -> o.columns.subList(0, columns))
                                        .toList(),
                                targets.columns);
                targets.check(expected, what);
            }
        }
    }

    private void checkRuns(Case c, Operand keys) {
        String what = "runs of " + keys.count + " " + c.what;
        List<Element> heads = new ArrayList<>();
        List<Long> offsets = new ArrayList<>();
        for (int i = 0; i < keys.count; i++) {
            if (i == 0 || c.comparator.compare(keys.slices.get(i - 1), keys.slices.get(i)) != 0) {
                heads.add(new Element(keys, i));
                offsets.add((long) i);
            }
        }
        offsets.add((long) keys.count);
        for (int columns : new int[] {1, 3}) {
            Targets targets = new Targets(c, columns, room(heads.size()));
            long found = memory().unique(
                            columns == 1 ? c.alone : c.withPayloads, keys.columns.subList(0, columns), targets.columns);
            assertThat(found).as(what).isEqualTo(heads.size());
            targets.check(heads, what);
        }
        for (ElementType type : List.of(ElementType.INT, ElementType.LONG)) {
            Targets numbers = new Targets(c, List.of(type), offsets.size());
            assertThat(memory().groups(c.alone, keys.keys(), type, numbers.columns.getFirst()))
                    .as(what)
                    .isEqualTo(heads.size());
            numbers.check(offsets.stream().mapToLong(offset -> offset).toArray(), "offsets of " + what);

            Targets distinct = new Targets(c, 1, room(heads.size()));
            Targets counts = new Targets(c, List.of(type), room(heads.size()));
            long found =
                    memory().counts(c.alone, keys.keys(), distinct.columns.getFirst(), type, counts.columns.getFirst());
            assertThat(found).as(what).isEqualTo(heads.size());
            distinct.check(heads, what);
            counts.check(
                    LongStream.range(0, heads.size())
                            .map(i -> offsets.get((int) i + 1) - offsets.get((int) i))
                            .toArray(),
                    "counts of " + what);
        }
        assertThat(memory().firstOutOfOrder(c.alone, keys.keys())).as(what).isEqualTo(-1);
        if (heads.size() > 1) {
            checkTooSmall(c, keys, heads.size());
            checkOutOfOrder(c, keys, offsets.get(offsets.size() / 2 - 1).intValue());
        }
    }

    /// Targets have room for as many as are found, or for one element where there is no memory without any.
    private int room(int found) {
        return hasEmptyMemory() ? found : Math.max(1, found);
    }

    private void checkTooSmall(Case c, Operand keys, int found) {
        Targets small = new Targets(c, 1, found - 1);
        Targets numbers = new Targets(c, List.of(ElementType.INT), found);
        assertThatThrownBy(() -> memory().unique(c.alone, List.of(keys.keys()), small.columns))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(String.valueOf(found))
                .hasMessageContaining("room for " + (found - 1));
        assertThatThrownBy(() -> memory().groups(c.alone, keys.keys(), ElementType.INT, numbers.columns.getFirst()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("room for " + found);
        assertThatThrownBy(() -> memory().counts(
                                c.alone,
                                keys.keys(),
                                small.columns.getFirst(),
                                ElementType.INT,
                                numbers.columns.getFirst()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> memory().combine(
                                c.alone, SetOperation.UNION, List.of(keys.keys()), List.of(keys.keys()), small.columns))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the target has room for " + (found - 1));
        Targets large = new Targets(c, 3, keys.count);
        Targets smallPayloads = new Targets(c, 3, found - 1);
        assertThatThrownBy(() -> memory().combine(
                                c.withPayloads,
                                SetOperation.UNION,
                                keys.columns,
                                keys.columns,
                                List.of(large.columns.get(0), large.columns.get(1), smallPayloads.columns.get(2))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        keys.count + " elements come out, and the target of payload 1 has room for " + (found - 1));
        small.checkGuards(c.what);
        large.checkGuards(c.what);
        smallPayloads.checkGuards(c.what);
        numbers.checkGuards(c.what);
    }

    /// Puts the first key, which is less than another, before that other one's place.
    private void checkOutOfOrder(Case c, Operand keys, int lastHead) {
        int place = Math.min(keys.count - 1, lastHead + 1);
        int bytes = c.elements.type().byteSize();
        MemorySegment broken = c.arena.allocate(keys.keys().byteSize(), 16).copyFrom(keys.keys());
        MemorySegment.copy(keys.keys(), 0, broken, (long) place * bytes, bytes);
        long expected = -1;
        for (int i = 1; i < keys.count && expected < 0; i++) {
            if (c.comparator.compare(
                            broken.asSlice((long) i * bytes, bytes), broken.asSlice((long) (i - 1) * bytes, bytes))
                    < 0) {
                expected = i;
            }
        }
        assertThat(memory().firstOutOfOrder(c.alone, broken))
                .as("first out of order of %s %s", keys.count, c.what)
                .isEqualTo(expected);
    }

    private void checkBounds(Case c, int size) {
        Operand keys = new Operand(c, size, SEED, true, null);
        int least = hasEmptyMemory() ? 0 : 1;
        int[] counts = size > LARGE ? new int[] {size} : new int[] {least, 1, size, 3 * size + 1};
        for (int count : counts) {
            for (boolean isSorted : new boolean[] {false, true}) {
                Operand queries = new Operand(c, count, SEED + 1, isSorted, keys);
                for (boolean isUpper : new boolean[] {false, true}) {
                    long[] expected = new long[count];
                    for (int i = 0; i < count; i++) {
                        expected[i] = bound(c, keys, queries.slices.get(i), isUpper);
                    }
                    ElementType type = isUpper ? ElementType.LONG : ElementType.INT;
                    Targets bounds = new Targets(c, List.of(type), count);
                    memory().bounds(c.alone, keys.keys(), queries.keys(), bounds.columns.getFirst(), isUpper);
                    bounds.check(expected, "bounds of " + count + " in " + size + " " + c.what);
                }
            }
        }
    }

    private static int bound(Case c, Operand keys, MemorySegment query, boolean isUpper) {
        int low = 0;
        int high = keys.count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            int compared = c.comparator.compare(keys.slices.get(middle), query);
            if (compared < 0 || isUpper && compared == 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private void checkSets(Case c, int size) {
        int least = hasEmptyMemory() ? 0 : 1;
        int[][] shapes = size > LARGE
                ? new int[][] {{size, size / 2}}
                : new int[][] {{size, least}, {least, size}, {size, size}, {size, 7}, {5, size}};
        for (int[] shape : shapes) {
            Operand first = new Operand(c, shape[0], SEED, true, null);
            Operand second = new Operand(c, shape[1], SEED + 1, true, first);
            for (SetOperation operation : SetOperation.values()) {
                List<Element> expected = combined(c, operation, first, second);
                String what = operation + " of " + Arrays.toString(shape) + " " + c.what;
                for (int columns : new int[] {1, 3}) {
                    Targets targets = new Targets(c, columns, room(expected.size()));
                    long found = memory().combine(
                                    columns == 1 ? c.alone : c.withPayloads,
                                    operation,
                                    first.columns.subList(0, columns),
                                    second.columns.subList(0, columns),
                                    targets.columns);
                    assertThat(found).as(what).isEqualTo(expected.size());
                    targets.check(expected, what);
                }
            }
        }
    }

    private static List<Element> combined(Case c, SetOperation operation, Operand first, Operand second) {
        List<Element> result = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < first.count || j < second.count) {
            Element one = new Element(first, i);
            Element other = new Element(second, j);
            int compared = i == first.count ? 1 : j == second.count ? -1 : c.compare(one, other);
            if (compared < 0 && operation != SetOperation.INTERSECTION
                    || compared == 0 && operation != SetOperation.DIFFERENCE) {
                result.add(one);
            } else if (compared > 0 && operation == SetOperation.UNION) {
                result.add(other);
            }
            i += compared <= 0 ? 1 : 0;
            j += compared >= 0 ? 1 : 0;
        }
        return result;
    }

    /// Targets with guards on either side.
    private final class Targets {
        private final List<ElementType> types;
        private final List<MemorySegment> wholes = new ArrayList<>();
        final List<MemorySegment> columns = new ArrayList<>();

        Targets(Case c, int columnCount, int room) {
            this(c, List.of(c.elements.type(), PAYLOADS.get(0), PAYLOADS.get(1)).subList(0, columnCount), room);
        }

        Targets(Case c, List<ElementType> types, int room) {
            this.types = types;
            for (ElementType type : types) {
                long bytes = (long) room * type.byteSize();
                MemorySegment whole = c.arena.allocate(bytes + 2 * GUARD_BYTES, 16);
                wholes.add(whole.fill(GUARD));
                columns.add(whole.asSlice(GUARD_BYTES, bytes));
            }
        }

        void check(List<Element> expected, String what) {
            for (int column = 0; column < columns.size(); column++) {
                int bytes = types.get(column).byteSize();
                MemorySegment wanted = MemorySegment.ofArray(new byte[expected.size() * bytes]);
                for (int i = 0; i < expected.size(); i++) {
                    Element element = expected.get(i);
                    MemorySegment.copy(
                            element.operand().columns.get(column),
                            (long) element.index() * bytes,
                            wanted,
                            (long) i * bytes,
                            bytes);
                }
                MemorySegment actual = columns.get(column).asSlice(0, wanted.byteSize());
                assertThat(actual.mismatch(wanted))
                        .as("first wrong byte of column %d, %s", column, what)
                        .isEqualTo(-1);
            }
            checkGuards(what);
        }

        void check(long[] expected, String what) {
            boolean isLong = types.getFirst().equals(ElementType.LONG);
            long[] actual = IntStream.range(0, expected.length)
                    .mapToLong(i -> isLong
                            ? columns.getFirst().getAtIndex(ValueLayout.JAVA_LONG, i)
                            : columns.getFirst().getAtIndex(ValueLayout.JAVA_INT, i))
                    .toArray();
            assertThat(Arrays.mismatch(actual, expected))
                    .as("first wrong one of the %s", what)
                    .isEqualTo(-1);
            checkGuards(what);
        }

        void checkGuards(String what) {
            for (MemorySegment whole : wholes) {
                for (int i = 0; i < GUARD_BYTES; i++) {
                    assertThat(whole.get(ValueLayout.JAVA_BYTE, i))
                            .as("before the target, %s", what)
                            .isEqualTo(GUARD);
                    assertThat(whole.get(ValueLayout.JAVA_BYTE, whole.byteSize() - 1 - i))
                            .as("behind the target, %s", what)
                            .isEqualTo(GUARD);
                }
            }
        }
    }

    /// Inputs that are not sorted give something, within the targets, and a merge loses no element.
    @Test
    void inputsThatAreNotSorted() {
        for (RecordCase elements : List.of(
                new RecordCase(ElementType.LONG, Order.natural()),
                new RecordCase(ElementType.FLOAT, Order.natural()),
                new RecordCase(
                        ElementType.INT,
                        Order.custom(
                                "(a ^ b * 0x9e3779b9) >> 8 & 1",
                                (a, b) -> a.get(ValueLayout.JAVA_INT, 0) + 3 * b.get(ValueLayout.JAVA_INT, 0) > 0
                                        ? 1
                                        : -1)))) {
            try (Case c = new Case(elements, "unsorted " + elements, (input, seed) -> {
                byte[] bytes = new byte[(int) input.byteSize()];
                new Random(seed).nextBytes(bytes);
                input.copyFrom(MemorySegment.ofArray(bytes));
            })) {
                checkUnsorted(c, sizes()[sizes().length - 1]);
            }
        }
    }

    private void checkUnsorted(Case c, int size) {
        List<Operand> operands = IntStream.of(size, size / 3, size)
                .mapToObj(count -> new Operand(c, count, SEED + count, false, null))
                .toList();
        int all = operands.stream().mapToInt(o -> o.count).sum();
        Targets merged = new Targets(c, 3, all);
        memory().merge(c.withPayloads, operands.stream().map(o -> o.columns).toList(), merged.columns);
        merged.checkGuards(c.what);
        assertThat(sorted(List.of(merged.columns.get(1))))
                .as("payloads that were merged")
                .isEqualTo(sorted(operands.stream().map(o -> o.columns.get(1)).toList()));
        Targets alone = new Targets(c, 1, all);
        memory().merge(c.alone, operands.stream().map(o -> List.of(o.keys())).toList(), alone.columns);
        alone.checkGuards(c.what);
        int bytes = c.elements.type().byteSize();
        assertThat(keyBits(alone.columns, bytes))
                .as("keys that were merged")
                .isEqualTo(keyBits(operands.stream().map(Operand::keys).toList(), bytes));

        List<MemorySegment> first = List.of(operands.getFirst().keys());
        List<MemorySegment> last = List.of(operands.getLast().keys());
        for (SetOperation operation : SetOperation.values()) {
            // A target with room for what sorted inputs may leave is always large enough.
            int most = operation == SetOperation.UNION ? 2 * size : size;
            Targets targets = new Targets(c, 1, most);
            assertThat(memory().combine(c.alone, operation, first, last, targets.columns))
                    .as("%s of %s", operation, c.what)
                    .isBetween(0L, (long) most);
            targets.checkGuards(c.what);
        }
        Targets bounds = new Targets(c, List.of(ElementType.LONG), size);
        memory().bounds(c.alone, first.getFirst(), last.getFirst(), bounds.columns.getFirst(), false);
        for (int i = 0; i < size; i++) {
            assertThat(bounds.columns.getFirst().getAtIndex(ValueLayout.JAVA_LONG, i))
                    .isBetween(0L, (long) size);
        }
        bounds.checkGuards(c.what);
        Targets distinct = new Targets(c, 1, size);
        assertThat(memory().unique(c.alone, first, distinct.columns)).isBetween(1L, (long) size);
        distinct.checkGuards(c.what);
    }

    private static long[] sorted(List<MemorySegment> columns) {
        return columns.stream()
                .flatMapToLong(column -> Arrays.stream(column.toArray(ValueLayout.JAVA_LONG)))
                .sorted()
                .toArray();
    }

    private static long[] keyBits(List<MemorySegment> columns, int bytes) {
        return columns.stream()
                .flatMapToLong(column -> bytes == Long.BYTES
                        ? Arrays.stream(column.toArray(ValueLayout.JAVA_LONG))
                        : Arrays.stream(column.toArray(ValueLayout.JAVA_INT)).asLongStream())
                .sorted()
                .toArray();
    }
}
