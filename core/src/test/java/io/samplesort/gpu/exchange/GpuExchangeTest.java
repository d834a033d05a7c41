package io.samplesort.gpu.exchange;

import static io.samplesort.gpu.exchange.ExchangeBed.NO_LIMIT;
import static io.samplesort.gpu.exchange.ExchangeBed.gpus;
import static io.samplesort.gpu.exchange.ExchangeBed.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.ContractTypes;
import io.samplesort.gpu.GpuContractTest;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.gpu.SeveralGpus;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Arrays on several GPUs.
@Tag("gpu")
@Tag("several")
@ExtendWith(GpuEnvironment.class)
class GpuExchangeTest {
    /// Random keys, equal ones, and keys in the opposite order, where each GPU has a range of its own.
    @ParameterizedTest
    @EnumSource(names = {"UNIFORM", "ALL_EQUAL", "REVERSE"})
    void sortsFewDistributions(InputDistribution distribution) {
        sortsOnGpus(distribution, 3);
    }

    @ParameterizedTest
    @EnumSource(InputDistribution.class)
    @Tag("exhaustive")
    void sortsEveryDistribution(InputDistribution distribution) {
        sortsOnGpus(distribution, 2, 3, 4, 8);
    }

    private static void sortsOnGpus(InputDistribution distribution, int... numbers) {
        for (int gpus : numbers) {
            try (SeveralGpus several = SeveralGpus.of(gpus);
                    ExchangeBed bed = new ExchangeBed(
                            gpus(gpus),
                            ElementType.LONG,
                            List.of(ElementType.LONG),
                            Order.natural(),
                            false,
                            NO_LIMIT)) {
                checkPairs(bed, distribution, ExchangeBed.equalSizes(9_000, gpus));
            }
        }
    }

    private static ExchangeBed inPieces() {
        return new ExchangeBed(
                gpus(2), ElementType.LONG, List.of(), Order.natural(), false, NO_LIMIT, ExchangeBed.IN_PIECES);
    }

    /// Those that are hardest to divide: a few keys, a frequent one, and what a sample does not show.
    @ParameterizedTest
    @EnumSource(names = {"FEW_DISTINCT", "ZIPF", "ADVERSARY"})
    void noUnevenDistributionOverloadsAGpu(InputDistribution distribution) {
        overloadsNoGpu(distribution);
    }

    /// [ExchangeBalanceTest] has more GPUs.
    @ParameterizedTest
    @EnumSource(InputDistribution.class)
    @Tag("exhaustive")
    void noDistributionOverloadsAGpu(InputDistribution distribution) {
        overloadsNoGpu(distribution);
    }

    private static void overloadsNoGpu(InputDistribution distribution) {
        int count = 40_000;
        try (SeveralGpus several = SeveralGpus.of(2);
                ExchangeBed bed =
                        new ExchangeBed(gpus(2), ElementType.LONG, List.of(), Order.natural(), false, NO_LIMIT)) {
            MemorySegment keys = MemorySegment.ofArray(new byte[count * Long.BYTES]);
            distribution.fill(keys, KeyType.I64, 31);
            SortReport.Exchange exchange =
                    bed.sort(ExchangeBed.equalSizes(count, 2), keys).exchange().orElseThrow();
            assertThat(ResultCheck.firstViolation(keys, KeyType.I64, false)).isEmpty();
            assertThat(exchange.sizes()).containsExactly(count / 2L, count / 2L);
            assertThat(exchange.received().stream().mapToLong(Long::longValue).sum())
                    .isEqualTo(count);
            assertThat(exchange.balance()).as(exchange.toString()).isBetween(1.0, 1.05);
        }
    }

    @Test
    void theReportTellsWhatCrossed() {
        int count = 20_000;
        long[] sizes = ExchangeBed.equalSizes(count, 2);
        long[] keys = new Random(37).longs(count).toArray();
        try (SeveralGpus several = SeveralGpus.of(2);
                ExchangeBed bed = inPieces()) {
            SortReport.Exchange exchange =
                    bed.sort(sizes, MemorySegment.ofArray(keys)).exchange().orElseThrow();
            assertThat(exchange.storedElements()).isZero();
            assertThat(exchange.copiedElements()).isBetween(9000L, 11_000L);
            assertThat(exchange.balance()).isEqualTo(1);
            // All is in order now, so nothing moves.
            exchange = bed.sort(sizes, MemorySegment.ofArray(keys)).exchange().orElseThrow();
            assertThat(exchange.storedElements() + exchange.copiedElements()).isZero();
        }
        long[] others = new Random(41).longs(count).toArray();
        try (SeveralGpus several = SeveralGpus.of(2).separate(0, 1);
                ExchangeBed bed = inPieces()) {
            SortReport.Exchange exchange =
                    bed.sort(sizes, MemorySegment.ofArray(others)).exchange().orElseThrow();
            assertThat(exchange.storedElements()).isZero();
            assertThat(exchange.copiedElements()).isBetween(9000L, 11_000L);
        }
    }

    /// A GPU that cannot reach another one cuts copies of keys.
    @Test
    void sortsWherePeersCannotReachEachOther() {
        try (SeveralGpus several = SeveralGpus.of(3).separate(0, 2);
                ExchangeBed bed = new ExchangeBed(
                        gpus(3), ElementType.LONG, List.of(ElementType.LONG), Order.natural(), false, NO_LIMIT)) {
            for (InputDistribution distribution : List.of(
                    InputDistribution.UNIFORM, InputDistribution.SORTED, InputDistribution.DETERMINISTIC_DUPLICATES)) {
                SortReport report = checkPairs(bed, distribution, 1500, 900, 1600);
                assertThat(report.phases())
                        .extracting(SortReport.Phase::name)
                        .containsExactly("sample", "sort_parts", "exchange_pieces");
            }
        }
        MemorySegment elements = numbers(2000);
        byte[] permutation;
        try (SeveralGpus several = SeveralGpus.of(2).separate(0, 1);
                ExchangeBed bed =
                        new ExchangeBed(gpus(2), ElementType.LONG, List.of(), Order.natural(), true, NO_LIMIT)) {
            permutation = bed.argsort(new long[] {700, 1300}, Long.BYTES, elements);
        }
        assertThat(permutation).isEqualTo(elements.toArray(ValueLayout.JAVA_BYTE));
    }

    /// What samples leave between the cuts is so little that a wrong one of these would be seen.
    @Test
    void peersThatCannotReachEachOtherCutEveryDistribution() {
        try (SeveralGpus several = SeveralGpus.of(3).separate(0, 2).separate(1, 2);
                ExchangeBed bed = new ExchangeBed(
                        gpus(3),
                        ElementType.LONG,
                        List.of(),
                        Order.natural(),
                        false,
                        NO_LIMIT,
                        ExchangeBed.IN_PIECES)) {
            long[][] sizes = {{5000, 1, 14_000}, {0, 9000, 11_000}, {12_000, 8000, 0}};
            for (InputDistribution distribution : InputDistribution.values()) {
                long[] each = sizes[distribution.ordinal() % sizes.length];
                long[] keys = new long[(int) Arrays.stream(each).sum()];
                distribution.fill(MemorySegment.ofArray(keys), KeyType.I64, 53);
                long[] expected = keys.clone();
                Arrays.sort(expected);
                bed.sort(each, MemorySegment.ofArray(keys));
                assertThat(keys).as(distribution.toString()).isEqualTo(expected);
            }
        }
    }

    /// An order that contradicts itself has no right result, but no element is lost, whether it is moved or sorted by
    /// index.
    @Test
    void contradictoryOrdersLoseNothing() {
        Order order = Order.custom("a != b", Comparator.comparingLong(each -> each.get(ValueLayout.JAVA_LONG, 0)));
        long[] sizes = {1000, 3000, 2000};
        long[] keys = new Random(43).longs(6000, 0, 100).toArray();
        MemorySegment memory = MemorySegment.ofArray(keys);
        long[] expected = keys.clone();
        Arrays.sort(expected);
        try (SeveralGpus several = SeveralGpus.of(3);
                ExchangeBed bed = new ExchangeBed(
                        gpus(3), ElementType.LONG, List.of(), order, false, NO_LIMIT, ExchangeBed.IN_PIECES)) {
            bed.sort(sizes, memory);
        }
        assertThat(Arrays.stream(keys).sorted().toArray()).isEqualTo(expected);
        MemorySegment payloads = numbers(6000);
        Fingerprint before = Fingerprint.of(memory, KeyType.I64, payloads, KeyType.I64);
        try (SeveralGpus several = SeveralGpus.of(3);
                ExchangeBed bed =
                        new ExchangeBed(gpus(3), ElementType.LONG, List.of(ElementType.LONG), order, false, NO_LIMIT)) {
            bed.sort(sizes, memory, payloads);
        }
        assertThat(Fingerprint.of(memory, KeyType.I64, payloads, KeyType.I64)).isEqualTo(before);
    }

    private static SortReport checkPairs(ExchangeBed bed, InputDistribution distribution, long... sizes) {
        int count = (int) Arrays.stream(sizes).sum();
        MemorySegment keys = MemorySegment.ofArray(new byte[count * Long.BYTES]);
        distribution.fill(keys, KeyType.I64, 29);
        MemorySegment payloads = numbers(count);
        Fingerprint before = Fingerprint.of(keys, KeyType.I64, payloads, KeyType.I64);
        SortReport report = bed.sort(sizes, keys, payloads);
        assertThat(ResultCheck.firstViolation(keys, KeyType.I64, false))
                .as("%s, %s", distribution, Arrays.toString(sizes))
                .isEmpty();
        assertThat(Fingerprint.of(keys, KeyType.I64, payloads, KeyType.I64)).isEqualTo(before);
        assertThat(report.elementCount()).isEqualTo(count);
        return report;
    }

    @Test
    void sortsParts() {
        try (SeveralGpus several = SeveralGpus.of(3);
                ExchangeBed bed = new ExchangeBed(
                        gpus(3), ElementType.LONG, List.of(ElementType.LONG), Order.natural(), false, NO_LIMIT)) {
            long[][] sizes = {
                {0, 0, 0},
                {1, 0, 0},
                {0, 0, 1},
                {1, 1, 0},
                {0, 2, 1},
                {5, 5, 5},
                {21, 21, 21},
                {22, 22, 22},
                {4000, 0, 0},
                {0, 4000, 1},
                {1, 4000, 0},
                {10, 3000, 2000},
                {3000, 10, 2000},
                {2047, 2048, 2049}
            };
            for (long[] each : sizes) {
                for (InputDistribution distribution :
                        List.of(InputDistribution.UNIFORM, InputDistribution.REVERSE, InputDistribution.FEW_DISTINCT)) {
                    checkPairs(bed, distribution, each);
                }
            }
        }
    }

    /// Pieces are cut between equal elements, too, and their indexes in sort keys say nothing of the order of parts.
    @Test
    void equalElementsAreInTheOrderOfTheirParts() {
        int count = 7000;
        long[] keys = new Random(59).longs(count, 0, 9).toArray();
        int[] order = IntStream.range(0, count)
                .boxed()
                .sorted(Comparator.comparingLong(i -> keys[i]))
                .mapToInt(i -> i)
                .toArray();
        try (SeveralGpus several = SeveralGpus.of(3);
                ExchangeBed bed =
                        new ExchangeBed(gpus(3), ElementType.LONG, List.of(), Order.natural(), true, NO_LIMIT)) {
            for (long[] sizes : List.of(new long[] {3000, 1500, 2500}, new long[] {500, 6000, 500})) {
                byte[] permutation = bed.argsort(sizes, Integer.BYTES, MemorySegment.ofArray(keys));
                int[] found = new int[count];
                ByteBuffer.wrap(permutation)
                        .order(ByteOrder.nativeOrder())
                        .asIntBuffer()
                        .get(found);
                assertThat(found).as(Arrays.toString(sizes)).isEqualTo(order);
            }
        }
    }

    /// Keys of all types, in both directions, without payloads and with a payload of another size.
    @ParameterizedTest
    @EnumSource(KeyType.class)
    @Tag("exhaustive")
    void sortsEveryType(KeyType type) {
        int count = 6000;
        boolean isDescending = !GpuContractTest.isDescendingWithPayload(type);
        MemorySegment keys = MemorySegment.ofArray(new byte[count * type.byteSize()]);
        InputDistribution.UNIFORM.fillWithSpecials(keys, type, 3);
        Fingerprint before = Fingerprint.of(keys, type);
        ElementType element = ContractTypes.elementType(type);
        long[] sizes = {2500, 3500};
        try (SeveralGpus several = SeveralGpus.of(2);
                ExchangeBed bed = new ExchangeBed(
                        gpus(2), element, List.of(), ContractTypes.order(type, isDescending), false, NO_LIMIT)) {
            bed.sort(sizes, keys);
            assertThat(ResultCheck.firstViolation(keys, type, isDescending)).isEmpty();
            assertThat(Fingerprint.of(keys, type)).isEqualTo(before);
        }
        InputDistribution.ZIPF.fill(keys, type, 4);
        MemorySegment payloads = MemorySegment.ofArray(new byte[count * Integer.BYTES]);
        InputDistribution.UNIFORM.fill(payloads, KeyType.U32, 5);
        Fingerprint pairs = Fingerprint.of(keys, type, payloads, KeyType.U32);
        Order other = ContractTypes.order(type, !isDescending);
        try (SeveralGpus several = SeveralGpus.of(2);
                ExchangeBed bed = new ExchangeBed(gpus(2), element, List.of(ElementType.INT), other, false, NO_LIMIT)) {
            bed.sort(sizes, keys, payloads);
            assertThat(ResultCheck.firstViolation(keys, type, !isDescending)).isEmpty();
            assertThat(Fingerprint.of(keys, type, payloads, KeyType.U32)).isEqualTo(pairs);
        }
    }
}
