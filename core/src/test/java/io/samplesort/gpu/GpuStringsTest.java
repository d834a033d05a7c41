package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.DeviceStrings;
import io.samplesort.SampleSort;
import io.samplesort.StringSorter;
import io.samplesort.types.ElementType;
import io.samplesort.types.InsufficientDeviceMemoryException;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Strings in device memory and in host memory that a GPU sorts, beside a sort by a comparator.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuStringsTest {
    private static final Device GPU = Device.gpu(0);

    /// Strings of one kind. Each tells apart, or leaves tied, what another part of the sort decides.
    private enum Input {
        /// Ends and zero bytes within the first word.
        SHORT(2500) {
            @Override
            byte[] string(SplittableRandom random, int i) {
                return letters(random, random.nextInt(4), 2, (char) 0);
            }
        },
        /// Words that are tied in the first round, and after it in small groups.
        LONGER_THAN_A_WORD(2049) {
            @Override
            byte[] string(SplittableRandom random, int i) {
                return letters(random, random.nextInt(30), 3, 'a');
            }
        },
        SHARED_PREFIX(700) {
            @Override
            byte[] string(SplittableRandom random, int i) {
                return joined("http://www.example.org/".repeat(random.nextInt(1, 4)), letters(random, 9, 4, 'a'));
            }
        },
        /// Large groups that share much more than a thread compares, and differ behind it.
        LONG_SHARED_PREFIX(300) {
            @Override
            byte[] string(SplittableRandom random, int i) {
                return joined("x".repeat(1000 + 500 * (i % 3)), letters(random, 4, 3, 'a'));
            }
        },
        ALL_EQUAL(1000) {
            @Override
            byte[] string(SplittableRandom random, int i) {
                return "always the same string, and one that is longer than all that a word holds"
                        .getBytes(StandardCharsets.US_ASCII);
            }
        },
        LONG_AND_EQUAL(120) {
            @Override
            byte[] string(SplittableRandom random, int i) {
                return "y".repeat(3000).getBytes(StandardCharsets.US_ASCII);
            }
        },
        ONE_VERY_LONG(200) {
            @Override
            byte[] string(SplittableRandom random, int i) {
                return i == 77 ? new byte[100_000] : letters(random, random.nextInt(12), 2, (char) 0);
            }
        },
        /// Every string is a prefix of all longer ones.
        PREFIXES(600) {
            @Override
            byte[] string(SplittableRandom random, int i) {
                byte[] string = new byte[random.nextInt(700)];
                Arrays.fill(string, (byte) 'z');
                return string;
            }
        },
        EMPTY(100) {
            @Override
            byte[] string(SplittableRandom random, int i) {
                return new byte[0];
            }
        },
        ANY_BYTES(1500) {
            @Override
            byte[] string(SplittableRandom random, int i) {
                byte[] string = new byte[random.nextInt(20)];
                random.nextBytes(string);
                return string;
            }
        },
        /// Two strings that no sample has seen, one with another beginning and one with other bytes than all others.
        RARE(9000) {
            @Override
            byte[] string(SplittableRandom random, int i) {
                String rest = i == 1 ? "\u0001\u007f" : i == 3 ? "" : "//";
                return joined(i == 3 ? "hats" : "https:" + rest, letters(random, random.nextInt(30), 26, 'a'));
            }
        },
        BOTH_CASES(1500) {
            @Override
            byte[] string(SplittableRandom random, int i) {
                byte[] string = letters(random, random.nextInt(14), 2, 'y');
                for (int k = 0; k < string.length; k++) {
                    string[k] ^= (byte) (random.nextBoolean() ? 0x20 : 0);
                }
                return string;
            }
        };

        private final int count;

        Input(int count) {
            this.count = count;
        }

        abstract byte[] string(SplittableRandom random, int i);

        List<byte[]> strings() {
            SplittableRandom random = new SplittableRandom(17);
            return IntStream.range(0, count).mapToObj(i -> string(random, i)).toList();
        }

        private static byte[] letters(SplittableRandom random, int length, int alphabet, char first) {
            byte[] string = new byte[length];
            for (int i = 0; i < length; i++) {
                string[i] = (byte) (first + random.nextInt(alphabet));
            }
            return string;
        }

        private static byte[] joined(String prefix, byte[] rest) {
            byte[] string = Arrays.copyOf(prefix.getBytes(StandardCharsets.US_ASCII), prefix.length() + rest.length);
            System.arraycopy(rest, 0, string, prefix.length(), rest.length);
            return string;
        }
    }

    static Stream<StringOrder> orders() {
        return Stream.of(
                StringOrder.bytes(),
                StringOrder.bytes().reversed(),
                StringOrder.bytes().ignoringAsciiCase(),
                StringOrder.bytes().ignoringAsciiCase().reversed());
    }

    /// Strings in the memory of both, whose first offset is not 0.
    private record Case(Strings host, DeviceMemory bytes, DeviceMemory offsets, DeviceStrings device)
            implements AutoCloseable {
        static Case of(List<byte[]> strings, ElementType offsetType) {
            int before = 3;
            int length = strings.stream().mapToInt(string -> string.length).sum();
            byte[] bytes = new byte[before + length];
            long[] offsets = new long[strings.size() + 1];
            int at = before;
            for (int i = 0; i < strings.size(); i++) {
                offsets[i] = at;
                System.arraycopy(strings.get(i), 0, bytes, at, strings.get(i).length);
                at += strings.get(i).length;
            }
            offsets[strings.size()] = at;
            boolean isLong = offsetType.equals(ElementType.LONG);
            int[] narrow =
                    Arrays.stream(offsets).mapToInt(offset -> (int) offset).toArray();
            Strings host = isLong ? Strings.of(bytes, offsets) : Strings.of(bytes, narrow);
            DeviceMemory deviceBytes = DeviceMemory.allocate(GPU, bytes.length);
            DeviceMemory deviceOffsets =
                    DeviceMemory.allocate(GPU, host.offsets().byteSize());
            deviceBytes.copyFrom(MemorySegment.ofArray(bytes));
            deviceOffsets.copyFrom(host.offsets());
            return new Case(
                    host,
                    deviceBytes,
                    deviceOffsets,
                    new DeviceStrings(deviceBytes, deviceOffsets, offsetType, strings.size()));
        }

        int[] expected(StringOrder order) {
            return IntStream.range(0, (int) host.count())
                    .boxed()
                    .sorted((i, j) -> order.compare(host, i, j))
                    .mapToInt(i -> i)
                    .toArray();
        }

        @Override
        public void close() {
            bytes.close();
            offsets.close();
        }
    }

    private static int[] argsort(StringSorter sorter, Case input) {
        int[] permutation = new int[(int) input.host.count()];
        try (DeviceMemory device = DeviceMemory.allocate(GPU, Math.max(1, permutation.length) * 4L)) {
            sorter.argsort(input.device, device);
            device.copyTo(MemorySegment.ofArray(permutation));
        }
        return permutation;
    }

    @ParameterizedTest
    @MethodSource("orders")
    void sortsInEveryOrder(StringOrder order) {
        try (StringSorter sorter =
                SampleSort.onGpu().tuning(GpuContractTest.TINY).buildStrings(order)) {
            for (Input input : Input.values()) {
                try (Case strings = Case.of(input.strings(), ElementType.INT)) {
                    assertThat(argsort(sorter, strings)).as(input.name()).isEqualTo(strings.expected(order));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Input.class)
    void sortsHostMemory(Input input) {
        try (StringSorter sorter =
                        SampleSort.onGpu().tuning(GpuContractTest.TINY).buildStrings(StringOrder.bytes());
                Case strings = Case.of(input.strings(), ElementType.LONG)) {
            assertThat(sorter.argsort(strings.host)).isEqualTo(strings.expected(StringOrder.bytes()));
        }
    }

    @ParameterizedTest
    @EnumSource(Input.class)
    void copiesInOrder(Input input) {
        try (StringSorter sorter =
                        SampleSort.onGpu().tuning(GpuContractTest.TINY).buildStrings(StringOrder.bytes());
                Case strings = Case.of(input.strings(), ElementType.INT);
                DeviceMemory bytes = DeviceMemory.allocate(GPU, strings.bytes.byteSize());
                DeviceMemory offsets = DeviceMemory.allocate(GPU, (strings.host.count() + 1) * Long.BYTES)) {
            DeviceStrings target = new DeviceStrings(bytes, offsets, ElementType.LONG, strings.host.count());
            sorter.sortedCopy(strings.device, target);
            long[] ends = new long[(int) strings.host.count() + 1];
            offsets.copyTo(MemorySegment.ofArray(ends));
            byte[] sorted = new byte[(int) ends[ends.length - 1]];
            if (sorted.length > 0) {
                bytes.copyTo(MemorySegment.ofArray(sorted));
            }
            assertThat(ends[0]).isZero();
            int[] order = strings.expected(StringOrder.bytes());
            for (int i = 0; i < order.length; i++) {
                assertThat(Arrays.copyOfRange(sorted, (int) ends[i], (int) ends[i + 1]))
                        .isEqualTo(strings.host.get(order[i]));
            }
            assertThat(sorter.isSorted(target)).isTrue();
        }
    }

    @Test
    void everySmallCountAndThoseAroundATile() {
        try (StringSorter sorter =
                SampleSort.onGpu().tuning(GpuContractTest.TINY).buildStrings(StringOrder.bytes())) {
            List<byte[]> all = new ArrayList<>(Input.LONGER_THAN_A_WORD.strings());
            for (int count : new int[] {0, 1, 2, 3, 31, 32, 33, 34, 65, 2047, 2048, 2049}) {
                try (Case strings = Case.of(all.subList(0, count), ElementType.LONG)) {
                    assertThat(argsort(sorter, strings))
                            .as("%d strings", count)
                            .isEqualTo(strings.expected(StringOrder.bytes()));
                    assertThat(sorter.isSorted(strings.device)).isEqualTo(count < 2);
                }
            }
        }
    }

    /// Groups of as many equal beginnings as a small group has, and one more, across the ends of tiles.
    @Test
    void groupsOfEverySize() {
        try (StringSorter sorter =
                SampleSort.onGpu().tuning(GpuContractTest.TINY).buildStrings(StringOrder.bytes())) {
            SplittableRandom random = new SplittableRandom(3);
            for (int size = 29; size <= 36; size++) {
                List<byte[]> strings = new ArrayList<>();
                for (int i = 0; i < 4200; i++) {
                    String group = "%07d".formatted((i + 13) / size * 7919 % 100_000);
                    strings.add(Input.joined(group, Input.letters(random, 3, 2, 'a')));
                }
                try (Case input = Case.of(strings, ElementType.INT)) {
                    assertThat(argsort(sorter, input))
                            .as("groups of %d", size)
                            .isEqualTo(input.expected(StringOrder.bytes()));
                }
            }
        }
    }

    @Test
    void wrongOffsetsAreNamed() {
        try (StringSorter sorter = SampleSort.onGpu().buildStrings(StringOrder.bytes());
                Case input = Case.of(Input.SHORT.strings(), ElementType.INT);
                DeviceMemory permutation = DeviceMemory.allocate(GPU, input.host.count() * 4)) {
            int[] wrong = input.host.offsets().toArray(ValueLayout.JAVA_INT);
            wrong[901] = wrong[900] - 1;
            input.offsets.copyFrom(MemorySegment.ofArray(wrong));
            permutation.copyFrom(MemorySegment.ofArray(new int[(int) input.host.count()]));
            assertThatThrownBy(() -> sorter.argsort(input.device, permutation))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("offset 901 ");
            assertThatThrownBy(() -> sorter.isSorted(input.device))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("offset 901 ");
            int[] untouched = new int[(int) input.host.count()];
            permutation.copyTo(MemorySegment.ofArray(untouched));
            assertThat(untouched).containsOnly(0);
        }
    }

    @Test
    void longIndexesAndStringsOfEveryTuning() {
        try (Case input = Case.of(Input.SHARED_PREFIX.strings(), ElementType.INT);
                DeviceMemory permutation = DeviceMemory.allocate(GPU, input.host.count() * Long.BYTES)) {
            for (String tuning : List.of("bucketSlack=0", "bucketSlack=6,maxBucketCount=16", "bucketTarget=384")) {
                try (StringSorter sorter = SampleSort.onGpu()
                        .tuning(GpuContractTest.TINY.with(tuning))
                        .timesPhases(true)
                        .buildStrings(StringOrder.bytes())) {
                    SortReport report = sorter.argsort(input.device, permutation);
                    long[] indexes = new long[(int) input.host.count()];
                    permutation.copyTo(MemorySegment.ofArray(indexes));
                    assertThat(indexes)
                            .isEqualTo(Arrays.stream(input.expected(StringOrder.bytes()))
                                    .asLongStream()
                                    .toArray());
                    assertThat(report.elementCount()).isEqualTo(input.host.count());
                    assertThat(report.phases())
                            .extracting(SortReport.Phase::name)
                            .contains("round 0: make_words", "round 0: small_sort", "round 1: make_tied_words");
                }
            }
        }
    }

    @Test
    void memoryThatDoesNotSufficeIsSaid() {
        Strings strings = Strings.copyOf(Input.LONGER_THAN_A_WORD.strings());
        int[] expected;
        try (StringSorter cpu = SampleSort.onCpu().buildStrings(StringOrder.bytes())) {
            expected = cpu.argsort(strings);
        }
        try (StringSorter sorter = SampleSort.onGpu().deviceMemory(1000).buildStrings(StringOrder.bytes())) {
            assertThatThrownBy(() -> sorter.argsort(strings))
                    .isInstanceOf(InsufficientDeviceMemoryException.class)
                    .hasMessageContaining("sorting 2049 strings from host memory needs");
        }
        try (StringSorter sorter =
                SampleSort.onBestDevice().gpuThreshold(1000).deviceMemory(1000).buildStrings(StringOrder.bytes())) {
            int[] permutation = new int[expected.length];
            SortReport report = sorter.argsort(strings, permutation);
            assertThat(report.fallbackReason())
                    .hasValueSatisfying(reason -> assertThat(reason).contains("device memory"));
            assertThat(permutation).isEqualTo(expected);
        }
    }

    /// Chunks of a few hundred strings, and one string that makes a chunk of its own shorter.
    @ParameterizedTest
    @MethodSource("orders")
    void stringsThatDoNotFitTheDeviceAreSortedInChunks(StringOrder order) {
        try (StringSorter sorter = SampleSort.onGpu()
                .tuning(GpuContractTest.TINY)
                .deviceMemory(300_000)
                .buildStrings(order)) {
            for (Input input : List.of(Input.LONGER_THAN_A_WORD, Input.RARE, Input.BOTH_CASES, Input.ONE_VERY_LONG)) {
                try (Case strings = Case.of(input.strings(), ElementType.INT)) {
                    int count = (int) strings.host.count();
                    assertThat(sorter.argsort(strings.host)).as(input.name()).isEqualTo(strings.expected(order));
                    MemorySegment longs = MemorySegment.ofArray(new long[count]);
                    SortReport report = sorter.argsort(strings.host, longs);
                    assertThat(report.elementCount()).isEqualTo(count);
                    assertThat(report.extraBytes()).isLessThanOrEqualTo(300_000);
                    assertThat(longs.toArray(ValueLayout.JAVA_LONG))
                            .isEqualTo(Arrays.stream(strings.expected(order))
                                    .asLongStream()
                                    .toArray());
                }
            }
        }
    }

    @Test
    void argumentsThatDoNotFitAreRefused() {
        try (StringSorter sorter = SampleSort.onGpu().buildStrings(StringOrder.bytes());
                StringSorter cpu = SampleSort.onCpu().buildStrings(StringOrder.bytes());
                Case input = Case.of(Input.SHORT.strings(), ElementType.INT);
                DeviceMemory small = DeviceMemory.allocate(GPU, 400);
                DeviceMemory offsets = DeviceMemory.allocate(GPU, input.offsets.byteSize())) {
            long count = input.host.count();
            assertThatThrownBy(() -> new DeviceStrings(input.bytes, input.offsets, ElementType.INT, count + 1))
                    .hasMessageContaining(count + 1 + " strings have");
            assertThatThrownBy(() -> new DeviceStrings(input.bytes, input.offsets, ElementType.SHORT, count))
                    .hasMessageContaining("must be ints or longs");
            assertThatThrownBy(() -> new DeviceStrings(input.offsets, input.offsets, ElementType.INT, 0))
                    .hasMessageContaining("same device memory");
            assertThatThrownBy(() -> new DeviceStrings(input.bytes, input.offsets, ElementType.INT, -1))
                    .hasMessageContaining("must not be negative");
            assertThatThrownBy(() -> sorter.argsort(input.device, small))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the permutation has 400 bytes");
            assertThatThrownBy(() -> sorter.argsort(input.device, input.offsets))
                    .hasMessageContaining("same device memory");
            assertThatThrownBy(() -> cpu.isSorted(input.device))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("build it on a GPU");
            DeviceStrings tooSmall = new DeviceStrings(small, offsets, ElementType.INT, count);
            assertThatThrownBy(() -> sorter.sortedCopy(input.device, tooSmall))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the target has room for 400");
            DeviceStrings fewer = new DeviceStrings(small, offsets, ElementType.INT, 7);
            assertThatThrownBy(() -> sorter.sortedCopy(input.device, fewer))
                    .hasMessageContaining("both must have as many");
        }
    }
}
