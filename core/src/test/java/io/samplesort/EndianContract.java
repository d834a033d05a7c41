package io.samplesort;

import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_CHAR_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.types.CustomOrder;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What every engine promises of records with big-endian fields, which lie in arrays of bytes: the very bytes that the
/// JDK's stable sort makes of them by a comparator of this test, which reads them as a [ByteBuffer] does.
public abstract class EndianContract {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

    /// Every byte of a number differs from the others in some of these, and some are equal if read the other way round.
    private static final long[] HOSTILE = {
        0,
        1,
        -1,
        0x80,
        0x8000,
        0x0100,
        0x0001_0000,
        0x0100_0000,
        0x8000_0000L,
        0x7fff_ffffL,
        0x0102_0304_0506_0708L,
        0x0807_0605_0403_0201L,
        Long.MIN_VALUE,
        Long.MAX_VALUE,
        0x00ff_00ff_00ff_00ffL
    };

    private static final double[] NUMBERS = {
        0.0, -0.0, 1, -1, 1e-300, -1e30, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 256, 65536
    };

    /// A builder for the engine under test.
    protected abstract SorterBuilder builder();

    /// A number of elements that takes the engine several passes.
    protected abstract int passes();

    /// Records of 32 bytes, which a GPU moves themselves.
    private static final ElementType RECORD = record(0);

    /// Records of 72 bytes, which a GPU sorts by index.
    private static final ElementType LARGE = record(40);

    private static ElementType record(int moreBytes) {
        List<MemoryLayout> members = new ArrayList<>(List.of(
                big(JAVA_LONG_UNALIGNED).withName("id"),
                big(JAVA_DOUBLE_UNALIGNED).withName("price"),
                big(JAVA_FLOAT_UNALIGNED).withName("ratio"),
                big(JAVA_INT_UNALIGNED).withName("count"),
                big(JAVA_SHORT_UNALIGNED).withName("rank"),
                big(JAVA_CHAR_UNALIGNED).withName("code"),
                JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN).withName("little"),
                JAVA_BOOLEAN.withName("known"),
                JAVA_BOOLEAN.withName("open")));
        if (moreBytes > 0) {
            members.add(MemoryLayout.paddingLayout(moreBytes));
        }
        return ElementType.of(MemoryLayout.structLayout(members.toArray(MemoryLayout[]::new)));
    }

    private static ValueLayout big(ValueLayout layout) {
        return layout.withOrder(ByteOrder.BIG_ENDIAN);
    }

    /// An order with every field, and one for each kind of number, as the library and as this test know them.
    enum Case {
        EVERYTHING(
                RECORD,
                Order.by("rank")
                        .thenBy("price")
                        .nullsLast("known")
                        .thenBy("code")
                        .reversed()
                        .thenBy("ratio")
                        .thenBy("count")
                        .unsigned()
                        .thenBy("little")
                        .thenBy("id"),
                Comparator.<ByteBuffer>comparingInt(r -> r.getShort(24))
                        .thenComparing(r -> known(r, 30) ? r.getDouble(8) : null, nullsLast())
                        .thenComparing(r -> r.getChar(26))
                        .reversed()
                        .thenComparing(r -> r.getFloat(16))
                        .thenComparing(r -> r.getInt(20), Integer::compareUnsigned)
                        .thenComparing(r -> Short.reverseBytes(r.getShort(28)))
                        .thenComparingLong(r -> r.getLong(0))),
        LONGS(
                RECORD,
                Order.by("id").reversed(),
                Comparator.<ByteBuffer>comparingLong(r -> r.getLong(0)).reversed()),
        UNSIGNED_LONGS(
                RECORD, Order.by("id").unsigned(), Comparator.comparing(r -> r.getLong(0), Long::compareUnsigned)),
        SHORTS_WITH_NULLS(
                RECORD,
                Order.by("rank").unsigned().nullsFirst("open").thenBy("code").reversed(),
                Comparator.<ByteBuffer, Integer>comparing(
                                r -> known(r, 31) ? r.getShort(24) & 0xffff : null,
                                Comparator.nullsFirst(Comparator.naturalOrder()))
                        .thenComparing(r -> r.getChar(26))
                        .reversed()),
        DOUBLES(RECORD, Order.by("price"), Comparator.comparingDouble(r -> r.getDouble(8))),
        LARGE_EVERYTHING(LARGE, EVERYTHING.order, EVERYTHING.reference),
        LARGE_FLOATS(
                LARGE,
                Order.by("ratio").reversed().thenBy("count"),
                Comparator.<ByteBuffer, Float>comparing(r -> r.getFloat(16))
                        .reversed()
                        .thenComparing(r -> r.getInt(20))),
        OWN(
                RECORD,
                Order.custom(
                        "a.rank + a.code + a.ratio < b.rank + b.code + b.ratio",
                        Comparator.comparing(s -> sum(s.toArray(ValueLayout.JAVA_BYTE)))),
                Comparator.comparing(r -> sum(bytes(r)))),
        LARGE_OWN(
                LARGE,
                Order.custom(
                        "(a.id ^ a.count) < (b.id ^ b.count)",
                        Comparator.comparingLong(s -> mixed(s.toArray(ValueLayout.JAVA_BYTE)))),
                Comparator.comparingLong(r -> mixed(bytes(r))));

        private final ElementType type;
        private final Order order;
        private final Comparator<ByteBuffer> reference;

        Case(ElementType type, Order order, Comparator<ByteBuffer> reference) {
            this.type = type;
            this.order = order;
            this.reference = reference;
        }
    }

    private static Comparator<Double> nullsLast() {
        return Comparator.nullsLast(Comparator.naturalOrder());
    }

    private static boolean known(ByteBuffer record, int at) {
        return record.get(at) != 0;
    }

    private static byte[] bytes(ByteBuffer record) {
        byte[] bytes = new byte[record.remaining()];
        record.get(record.position(), bytes);
        return bytes;
    }

    private static float sum(byte[] record) {
        ByteBuffer fields = ByteBuffer.wrap(record);
        float ratio = fields.getFloat(16);
        return fields.getShort(24) + fields.getChar(26) + ratio;
    }

    private static long mixed(byte[] record) {
        ByteBuffer fields = ByteBuffer.wrap(record);
        return fields.getLong(0) ^ fields.getInt(20);
    }

    @Test
    void sortsByEveryField() {
        sorts(Case.EVERYTHING, false);
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @EnumSource
    void sortsEveryCase(Case each) {
        sorts(each, false);
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @EnumSource
    void sortsEveryCaseStably(Case each) {
        sorts(each, true);
    }

    private void sorts(Case each, boolean isStable) {
        SorterBuilder builder = builder().order(each.order);
        try (Sorter sorter = (isStable ? builder.stable() : builder).build(each.type)) {
            for (int size : new int[] {0, 1, 2, 100, passes()}) {
                byte[] records = records(each, size);
                List<byte[]> expected = sortedByTheJdk(records, each);
                sorter.sort(MemorySegment.ofArray(records));
                check(each, records, expected, isStable, size);
            }
        }
    }

    private static byte[] records(Case each, int size) {
        Random random = new Random(SEED + size);
        byte[] records = new byte[size * each.type.byteSize()];
        random.nextBytes(records);
        ByteBuffer fields = ByteBuffer.wrap(records);
        for (int at = 0; at < records.length; at += each.type.byteSize()) {
            boolean isOwn = each.order instanceof CustomOrder;
            // The sum of an order of one's own must not be NaN, by which nothing is in order.
            double number = NUMBERS[random.nextInt(NUMBERS.length)];
            fields.putLong(at, hostile(random));
            fields.putDouble(at + 8, number);
            fields.putFloat(at + 16, isOwn ? random.nextInt(100) : (float) number);
            fields.putInt(at + 20, (int) hostile(random));
            fields.putShort(at + 24, (short) (isOwn ? random.nextInt(500) : hostile(random) >> 8));
            fields.putChar(at + 26, (char) (isOwn ? random.nextInt(500) : hostile(random)));
            fields.putShort(at + 28, (short) hostile(random));
            fields.put(at + 30, (byte) random.nextInt(2));
            fields.put(at + 31, (byte) random.nextInt(3));
        }
        return records;
    }

    private static long hostile(Random random) {
        return HOSTILE[random.nextInt(HOSTILE.length)];
    }

    private static List<byte[]> sortedByTheJdk(byte[] records, Case each) {
        List<byte[]> split = split(records, each.type.byteSize());
        split.sort((a, b) -> each.reference.compare(ByteBuffer.wrap(a), ByteBuffer.wrap(b)));
        return split;
    }

    private static List<byte[]> split(byte[] records, int bytes) {
        List<byte[]> split = new ArrayList<>();
        for (int at = 0; at < records.length; at += bytes) {
            split.add(Arrays.copyOfRange(records, at, at + bytes));
        }
        return split;
    }

    private static void check(Case each, byte[] sorted, List<byte[]> expected, boolean isStable, int size) {
        List<byte[]> found = split(sorted, each.type.byteSize());
        for (int i = 0; i < found.size(); i++) {
            String what = "record " + i + " of " + size + ", " + each + "; replay with -Dtests.seed=" + SEED;
            if (isStable) {
                assertThat(found.get(i)).as(what).isEqualTo(expected.get(i));
            } else {
                int compared = each.reference.compare(ByteBuffer.wrap(found.get(i)), ByteBuffer.wrap(expected.get(i)));
                assertThat(compared).as(what).isZero();
            }
        }
        assertThat(multiset(found)).as("the records").isEqualTo(multiset(expected));
    }

    private static List<ByteBuffer> multiset(List<byte[]> records) {
        return records.stream().map(ByteBuffer::wrap).sorted().toList();
    }
}
