package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.samplesort.errors.GpuUnavailableException;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// What a sorter refuses, and that it refuses before anything is changed.
class SorterTest {
    private static final long[] UNSORTED = {3, 1, 2};

    @Test
    void nullsAreRefused() {
        try (Sorter sorter = cpu()) {
            assertThatThrownBy(() -> sorter.sort((long[]) null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("keys");
            assertThatThrownBy(() -> sorter.sort((MemorySegment) null)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> SampleSort.sort((int[]) null)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> SampleSort.onCpu().order(null)).isInstanceOf(NullPointerException.class);
        }
    }

    @Test
    void rangesOutsideTheArrayAreRefused() {
        try (Sorter sorter = cpu()) {
            long[] keys = UNSORTED.clone();
            assertThatThrownBy(() -> sorter.sort(keys, -1, 2)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> sorter.sort(keys, 2, 1)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> sorter.sort(keys, 0, 4)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThat(keys).isEqualTo(UNSORTED);
        }
    }

    @Test
    void rangesLeaveTheRestAlone() {
        int[] keys = {9, 5, 4, 3, -1};
        SampleSort.sort(keys, 1, 4);
        assertThat(keys).containsExactly(9, 3, 4, 5, -1);
    }

    @Test
    void readOnlyAndPartialSegmentsAreRefused() {
        try (Sorter sorter = cpu();
                Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(64, 8);
            assertThatThrownBy(() -> sorter.sort(segment.asReadOnly()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("read-only");
            assertThatThrownBy(() -> sorter.sort(segment.asSlice(0, 12)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no multiple of 8, the size of one long");
        }
    }

    @Test
    void confinedSegmentsAreSortedByAllThreads() {
        try (Sorter sorter = cpu();
                Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(8L * 500_000, 8);
            SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < 500_000; i++) {
                segment.setAtIndex(ValueLayout.JAVA_LONG, i, random.nextLong());
            }
            long[] expected = segment.toArray(ValueLayout.JAVA_LONG);
            Arrays.sort(expected);
            sorter.sort(segment);
            assertThat(segment.toArray(ValueLayout.JAVA_LONG)).isEqualTo(expected);
        }
    }

    @Test
    void payloadsOfAnotherLengthOrTheSameMemoryAreRefused() {
        try (Sorter sorter = SampleSort.onCpu().payload(ElementType.LONG).build(ElementType.LONG)) {
            MemorySegment keys = MemorySegment.ofArray(UNSORTED.clone());
            assertThatThrownBy(() -> sorter.sort(keys, MemorySegment.ofArray(new long[2])))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("3 keys and 2 payloads");
            assertThatThrownBy(() -> sorter.sort(keys, keys))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("overlap");
            assertThatThrownBy(() -> sorter.sort(keys))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("this sorter is for keys with payloads of types [long] and was given 0 arrays of"
                            + " payloads: give 1");
            assertThatThrownBy(() -> sorter.sort(keys, MemorySegment.ofArray(new int[6])))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not aligned to 8 bytes");
            assertThatThrownBy(() -> sorter.argsort(keys))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("this sorter is for keys with payloads of types [long], and argsort is for keys alone:"
                            + " build a sorter without payload(…)");
            assertThatThrownBy(() -> sorter.sort(UNSORTED)).isInstanceOf(IllegalArgumentException.class);
            assertThat(keys.toArray(ValueLayout.JAVA_LONG)).isEqualTo(UNSORTED);
        }
    }

    @Test
    void payloadsOfAnotherTypeAreRefused() {
        try (Sorter sorter = SampleSort.onCpu().payload(ElementType.INT).build(ElementType.LONG)) {
            MemorySegment keys = MemorySegment.ofArray(UNSORTED.clone());
            assertThatThrownBy(() -> sorter.sort(keys, MemorySegment.ofArray(new long[3])))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("3 keys and 6 payloads: there must be as many payloads as keys; this sorter is for"
                            + " payloads of type int and was given long[]: give an array of that type, or build it"
                            + " with another payload(…)");
            assertThat(keys.toArray(ValueLayout.JAVA_LONG)).isEqualTo(UNSORTED);
        }
    }

    @Test
    void keysOfAnotherTypeAreRefused() {
        try (Sorter sorter = cpu()) {
            assertThatThrownBy(() -> sorter.sort(new int[] {2, 1}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("this sorter is for long keys and was given int[]: build it with"
                            + " build(ElementType.INT)");
        }
        assertThatThrownBy(() -> SampleSort.onCpu().order(Order.unsigned()).build(ElementType.DOUBLE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("unsigned");
    }

    @Test
    void closedSortersRefuseAndCloseAgain() {
        Sorter sorter = cpu();
        sorter.close();
        sorter.close();
        assertThatThrownBy(() -> sorter.sort(UNSORTED.clone()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void aSecondThreadIsRefused() {
        AtomicReference<Thread> other = new AtomicReference<>();
        AtomicReference<Throwable> refusal = new AtomicReference<>();
        AtomicReference<Sorter> used = new AtomicReference<>();
        Comparator<MemorySegment> ascending = Order.natural().toComparator(ElementType.LONG);
        // The second thread comes while the first one is in its comparator.
        Order order = Order.custom("a < b", (a, b) -> {
            if (other.get() == null) {
                other.set(Thread.ofPlatform()
                        .start(() -> refusal.set(catchThrowable(() -> used.get().sort(UNSORTED.clone())))));
                join(other.get());
            }
            return ascending.compare(a, b);
        });
        try (Sorter sorter = SampleSort.onCpu().order(order).build(ElementType.LONG)) {
            used.set(sorter);
            sorter.sort(new long[] {2, 1});
        }
        assertThat(refusal.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("another thread");
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anExplicitGpuFailsWhereThereIsNoneAndTheBestDeviceSaysWhy() {
        assumeTrue(SampleSort.gpuUnavailableReason().isPresent(), "there is a GPU on this machine");
        assertThatThrownBy(() -> SampleSort.onGpu().build(ElementType.LONG))
                .isInstanceOf(GpuUnavailableException.class)
                .hasMessageContaining("install");
        long[] keys = new SplittableRandom(3).longs(2000).toArray();
        long[] expected = keys.clone();
        Arrays.sort(expected);
        try (Sorter sorter = SampleSort.onBestDevice().gpuThreshold(0).build(ElementType.LONG)) {
            SortReport report = sorter.sort(keys);
            assertThat(report.fallbackReason())
                    .hasValueSatisfying(reason -> assertThat(reason).contains("install"));
            assertThat(report.device()).startsWith("cpu");
        }
        assertThat(keys).isEqualTo(expected);
    }

    @Test
    void theCpuUsesNoMoreThreadsThanAsked() {
        long[] keys = new SplittableRandom(3).longs(200_000).toArray();
        for (boolean isStable : new boolean[] {false, true}) {
            SorterBuilder builder = SampleSort.onCpu().cpuThreads(1);
            try (Sorter sorter = (isStable ? builder.stable() : builder).build(ElementType.LONG)) {
                assertThat(sorter.sort(keys.clone()).device()).isEqualTo("cpu, 1 thread");
            }
        }
        int cores = Runtime.getRuntime().availableProcessors();
        try (Sorter sorter = SampleSort.onCpu().cpuThreads(Integer.MAX_VALUE).build(ElementType.LONG)) {
            assertThat(sorter.sort(keys).device()).startsWith("cpu, " + cores + " thread");
        }
        for (int count : new int[] {0, -1}) {
            assertThatThrownBy(() -> SampleSort.onCpu().cpuThreads(count))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(count + " threads: must be positive");
        }
    }

    @Test
    void oneShotSortsEqualTheJdksBitForBit() {
        SplittableRandom random = new SplittableRandom(4);
        int n = 100_000;
        double[] doubles = random.doubles(n, -1, 1).toArray();
        float[] floats = new float[n];
        char[] chars = new char[n];
        byte[] bytes = new byte[n];
        short[] shorts = new short[n];
        for (int i = 0; i < n; i++) {
            floats[i] = i % 7 == 0 ? -0f : i % 11 == 0 ? Float.NaN : (float) doubles[i];
            doubles[i] = i % 5 == 0 ? -0.0 : i % 9 == 0 ? 0.0 : i % 13 == 0 ? Double.NaN : doubles[i];
            chars[i] = (char) random.nextInt();
            bytes[i] = (byte) random.nextInt();
            shorts[i] = (short) random.nextInt();
        }
        assertSame(doubles.clone(), doubles);
        float[] sortedFloats = floats.clone();
        Arrays.sort(sortedFloats);
        SampleSort.sort(floats);
        assertThat(MemorySegment.ofArray(floats).mismatch(MemorySegment.ofArray(sortedFloats)))
                .isEqualTo(-1);
        char[] sortedChars = chars.clone();
        Arrays.sort(sortedChars);
        SampleSort.sort(chars);
        assertThat(chars).isEqualTo(sortedChars);
        byte[] sortedBytes = bytes.clone();
        Arrays.sort(sortedBytes);
        SampleSort.sort(bytes);
        assertThat(bytes).isEqualTo(sortedBytes);
        short[] sortedShorts = shorts.clone();
        Arrays.sort(sortedShorts);
        SampleSort.sort(shorts);
        assertThat(shorts).isEqualTo(sortedShorts);
    }

    private static void assertSame(double[] expected, double[] actual) {
        Arrays.sort(expected);
        SampleSort.sort(actual);
        assertThat(MemorySegment.ofArray(actual).mismatch(MemorySegment.ofArray(expected)))
                .isEqualTo(-1);
    }

    @Test
    void oneShotPairsStayTogether() {
        int n = 70_000;
        double[] keys = new SplittableRandom(6).doubles(n).toArray();
        double[] original = keys.clone();
        int[] payloads = new int[n];
        Arrays.setAll(payloads, i -> i);
        SampleSort.sort(keys, payloads);
        for (int i = 0; i < n; i++) {
            assertThat(keys[i]).isEqualTo(original[payloads[i]]);
        }
        assertThat(keys).isSorted();
    }

    private static Sorter cpu() {
        return SampleSort.onCpu().build(ElementType.LONG);
    }
}
