package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/// What a sorter of strings says of bad input, and what else it does.
class StringSorterTest {
    private static final Strings FEW = Strings.utf8(List.of("pear", "apple", "fig", "apple"));

    private static StringSorter sorter() {
        return SampleSort.onCpu().buildStrings(StringOrder.bytes());
    }

    @Test
    void refusesPermutationsOfOtherSizes() {
        try (StringSorter sorter = sorter()) {
            assertThatThrownBy(() -> sorter.argsort(FEW, new int[3]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the permutation has room for 3 of 4 strings");
            assertThatThrownBy(() -> sorter.argsort(FEW, MemorySegment.ofArray(new long[5])))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the permutation has 40 bytes: for 4 elements it has one long each, or one int");
        }
    }

    @Test
    void refusesMemoryThatOverlapsOrIsReadOnly() {
        byte[] bytes = "badc".getBytes(StandardCharsets.US_ASCII);
        int[] offsets = {0, 1, 2, 3, 4};
        Strings strings = Strings.of(bytes, offsets);
        try (StringSorter sorter = sorter()) {
            assertThatThrownBy(() -> sorter.argsort(
                            strings, MemorySegment.ofArray(offsets).asSlice(0, 16)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("offsets and permutation overlap in memory");
            assertThatThrownBy(() -> sorter.argsort(
                            strings, MemorySegment.ofArray(new int[4]).asReadOnly()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("read-only");
            assertThatThrownBy(() ->
                            sorter.sortedCopy(strings, MemorySegment.ofArray(bytes), MemorySegment.ofArray(new int[5])))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("bytes and target's bytes overlap in memory");
            assertThat(bytes).isEqualTo("badc".getBytes(StandardCharsets.US_ASCII));
        }
    }

    @Test
    void refusesTargetsThatAreTooSmall() {
        try (StringSorter sorter = sorter()) {
            MemorySegment offsets = MemorySegment.ofArray(new long[5]);
            assertThatThrownBy(() -> sorter.sortedCopy(FEW, MemorySegment.ofArray(new byte[16]), offsets))
                    .hasMessage("the target has room for 16 bytes, and the strings have 17");
            assertThatThrownBy(() -> sorter.sortedCopy(
                            FEW, MemorySegment.ofArray(new byte[17]), MemorySegment.ofArray(new long[4])))
                    .hasMessage("the target's offsets have 32 bytes, and those of 4 strings have 40");
            assertThatThrownBy(() -> sorter.sortedPlaces(
                            FEW, MemorySegment.ofArray(new long[3]), MemorySegment.ofArray(new long[4])))
                    .hasMessage("starts and lengths have 24 bytes, and 4 strings need a long each");
        }
    }

    @Test
    void leavesBytesBeyondTheTargetAlone() {
        byte[] bytes = new byte[20];
        Arrays.fill(bytes, (byte) '~');
        long[] offsets = new long[5];
        try (StringSorter sorter = sorter()) {
            sorter.sortedCopy(FEW, MemorySegment.ofArray(bytes), MemorySegment.ofArray(offsets));
        }
        assertThat(new String(bytes, StandardCharsets.US_ASCII)).isEqualTo("appleapplefigpear~~~");
        assertThat(offsets).containsExactly(0, 5, 10, 13, 17);
    }

    /// The permutation of 2^31 strings and more does not fit an array.
    @Test
    void copiesMoreStringsThanAnArrayHasPlacesFor() {
        Strings strings = Strings.copyOf(StringCase.ADDRESSES.strings(new Random(2), 60_000));
        StringOrder order = StringOrder.bytes();
        StringEngines engines = new StringEngines(order, null, Device.cpu(), Long.MAX_VALUE, 2, false);
        byte[] bytes = new byte[(int) strings.byteSize()];
        long[] offsets = new long[60_001];
        try (StringSorter sorter = sorter();
                StringSorter wide = new StringSorter(order, engines, null, 59_999)) {
            wide.sortedCopy(strings, MemorySegment.ofArray(bytes), MemorySegment.ofArray(offsets));
            Strings expected = sorter.sorted(strings);
            assertThat(MemorySegment.ofArray(bytes).mismatch(expected.bytes())).isEqualTo(-1);
            assertThat(MemorySegment.ofArray(offsets).mismatch(expected.offsets()))
                    .isEqualTo(-1);
        }
    }

    @Test
    void refusesToSortAfterItWasClosed() {
        StringSorter sorter = sorter();
        sorter.close();
        sorter.close();
        assertThatThrownBy(() -> sorter.argsort(FEW))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("this sorter is closed");
    }

    @Test
    void refusesStringsOfAClosedArena() {
        Strings strings;
        try (Arena arena = Arena.ofShared()) {
            strings = StringMemory.NATIVE_INTS.view(new byte[][] {{1}, {2}}, arena);
        }
        try (StringSorter sorter = sorter()) {
            assertThatThrownBy(() -> sorter.argsort(strings))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the segment of the bytes belongs to a closed arena");
        }
    }

    @Test
    void sortsConfinedMemoryForItsThreadAlone() {
        byte[][] input = StringCase.ADDRESSES.strings(new Random(1), 60_000);
        try (StringSorter sorter = sorter();
                Arena arena = Arena.ofConfined()) {
            Strings strings = StringMemory.NATIVE_LONGS.view(input, arena);
            MemorySegment permutation = arena.allocate(4L * input.length, 4);
            sorter.argsort(strings, permutation);
            assertThat(permutation.toArray(ValueLayout.JAVA_INT))
                    .isEqualTo(StringContract.expected(input, sorter.order()));
            assertThatThrownBy(() -> CompletableFuture.runAsync(() -> sorter.argsort(strings))
                            .join())
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(WrongThreadException.class)
                    .hasMessageContaining("the segment of the bytes is confined to another thread");
        }
    }

    @Test
    void bringsColumnsIntoTheOrderOfStrings() {
        MemorySegment permutation = MemorySegment.ofArray(new int[4]);
        try (StringSorter sorter = sorter()) {
            sorter.argsort(FEW, permutation);
        }
        long[] prices = {40, 10, 30, 11};
        long[] sortedPrices = new long[4];
        Sorter.applyPermutation(
                permutation, ElementType.LONG, MemorySegment.ofArray(prices), MemorySegment.ofArray(sortedPrices));
        assertThat(sortedPrices).containsExactly(10, 11, 30, 40);
        Strings colours = Strings.utf8(List.of("green", "red", "blue", "yellow"));
        byte[] bytes = new byte[(int) colours.byteSize()];
        long[] offsets = new long[5];
        StringSorter.applyPermutation(
                permutation, colours, MemorySegment.ofArray(bytes), MemorySegment.ofArray(offsets));
        assertThat(new String(bytes, StandardCharsets.US_ASCII)).isEqualTo("redyellowbluegreen");
        assertThatThrownBy(() -> StringSorter.applyPermutation(
                        MemorySegment.ofArray(new int[] {0, 1, 1, 2}),
                        colours,
                        MemorySegment.ofArray(bytes),
                        MemorySegment.ofArray(offsets)))
                .hasMessageContaining("the index 1 appears twice");
        assertThat(new String(bytes, StandardCharsets.US_ASCII)).isEqualTo("redyellowbluegreen");
    }

    @Test
    void reportsWhatItDid() {
        byte[][] input = StringCase.PRINTABLE.strings(new Random(1), 100_000);
        try (StringSorter sorter = sorter()) {
            SortReport report = sorter.argsort(Strings.copyOf(input), new int[input.length]);
            assertThat(report.device()).startsWith("cpu, ");
            assertThat(report.elementCount()).isEqualTo(100_000);
            assertThat(report.extraBytes()).isBetween(800_000L, 100_000_000L);
            assertThat(report.phases()).extracting(SortReport.Phase::name).contains("make_sort_keys", "sort_ties");
            assertThat(report.total()).isPositive();
            assertThat(report.bytesMoved()).isPositive();
        }
    }

    /// Sorts in time that grows with the bytes that tell strings from each other, and no faster.
    @Test
    void sortsLongStringsThatDifferAtTheEnd() {
        byte[][] input = new byte[12][];
        for (int i = 0; i < input.length; i++) {
            input[i] = new byte[20_000_000 - i / 4];
            input[i][input[i].length - 1] = (byte) (i % 4 == 3 ? 1 : 2 + i % 4);
        }
        try (StringSorter sorter = sorter()) {
            assertThat(sorter.argsort(Strings.copyOf(input))).isEqualTo(StringContract.expected(input, sorter.order()));
        }
    }
}
