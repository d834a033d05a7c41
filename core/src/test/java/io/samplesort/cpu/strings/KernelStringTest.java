package io.samplesort.cpu.strings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.samplesort.StringCase;
import io.samplesort.StringContract;
import io.samplesort.cpu.leaf.TextKernels;
import io.samplesort.types.ElementType;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Strings that kernels sort, in native memory of the caller's own.
class KernelStringTest {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
    private static final int[] SIZES = {0, 1, 2, 20, 21, 700, 9000};

    private static final StringOrder[] ORDERS = {
        StringOrder.bytes(),
        StringOrder.bytes().reversed(),
        StringOrder.bytes().ignoringAsciiCase(),
        StringOrder.bytes().ignoringAsciiCase().reversed()
    };

    @BeforeEach
    void kernelsAreThere() {
        assumeTrue(TextKernels.areThere(), "needs Linux on x86-64");
    }

    @ParameterizedTest
    @EnumSource(StringCase.class)
    void findTheStableOrder(StringCase input) {
        for (int size : SIZES) {
            for (StringOrder order : ORDERS) {
                check(input.strings(new Random(SEED + size), size), order);
            }
        }
    }

    /// Many equal strings, in turns and in any order: their indexes have to be sorted.
    @Test
    void keepEqualStringsInTheirOrder() {
        Random random = new Random(SEED);
        byte[][] strings = new byte[30_000][];
        for (int i = 0; i < strings.length; i++) {
            strings[i] = "x".repeat(random.nextInt(3) * 7).getBytes(StandardCharsets.US_ASCII);
        }
        check(strings, StringOrder.bytes());
    }

    /// Each string begins with the one before, so ranges are split seven bytes further each time.
    @Test
    void sortStringsThatBeginWithAllOthers() {
        byte[][] strings = new byte[3000][];
        for (int i = 0; i < strings.length; i++) {
            strings[i] = new byte[(i * 7 + 1) % strings.length];
        }
        check(strings, StringOrder.bytes());
    }

    /// The strings that are in order already stay where they are, and one that is not shows wherever it is.
    @Test
    void sortStringsThatAreNearlyInOrder() {
        byte[][] strings = StringCase.ADDRESSES.strings(new Random(SEED), 70_000);
        Arrays.sort(strings, Arrays::compareUnsigned);
        check(strings, StringOrder.bytes());
        for (int place : new int[] {1, 32_768, 69_999}) {
            byte[][] swapped = strings.clone();
            swapped[place] = strings[0];
            swapped[0] = strings[place];
            check(swapped, StringOrder.bytes());
        }
    }

    @Test
    void leaveManyStringsToManyThreads() {
        assertThat(KernelStringSort.isFaster(1L << 30, 4)).isTrue();
        assertThat(KernelStringSort.isFaster(1 << 21, 64)).isTrue();
        assertThat(KernelStringSort.isFaster((1 << 21) + 1, 5)).isFalse();
    }

    private static void check(byte[][] strings, StringOrder order) {
        int[] expected = expectedOrder(strings, order);
        for (ElementType type : new ElementType[] {ElementType.INT, ElementType.LONG}) {
            for (int terminators : new int[] {0, 1}) {
                try (Arena arena = Arena.ofShared();
                        StringCpuSorter sorter = new StringCpuSorter(order, 1 + strings.length % 3)) {
                    Strings view = copy(strings, type, terminators, arena);
                    MemorySegment permutation = arena.allocate((long) Integer.BYTES * strings.length);
                    assertThat(KernelStringSort.canSort(view, permutation)).isTrue();
                    sorter.argsort(view, permutation, Integer.BYTES, true);
                    assertThat(permutation.toArray(ValueLayout.JAVA_INT))
                            .as("%d strings, seed %d, %s", strings.length, SEED, order)
                            .isEqualTo(expected);
                }
            }
        }
    }

    private static int[] expectedOrder(byte[][] strings, StringOrder order) {
        return Expected.of(strings, order);
    }

    /// Copies strings to native memory without a byte behind the last one.
    private static Strings copy(byte[][] strings, ElementType type, int terminators, Arena arena) {
        long bytes = 0;
        for (byte[] string : strings) {
            bytes += string.length + terminators;
        }
        MemorySegment text = arena.allocate(bytes);
        MemorySegment offsets = arena.allocate((strings.length + 1L) * type.byteSize(), Long.BYTES);
        long at = 0;
        for (int i = 0; i < strings.length; i++) {
            MemorySegment.copy(strings[i], 0, text, ValueLayout.JAVA_BYTE, at, strings[i].length);
            at += strings[i].length + terminators;
            if (type.equals(ElementType.LONG)) {
                offsets.setAtIndex(ValueLayout.JAVA_LONG, i + 1, at);
            } else {
                offsets.setAtIndex(ValueLayout.JAVA_INT, i + 1, (int) at);
            }
        }
        return Strings.of(text, offsets, type).withoutLast(terminators);
    }

    /// Gives access to what the contract expects of every engine.
    private abstract static class Expected extends StringContract {
        static int[] of(byte[][] strings, StringOrder order) {
            return expected(strings, order);
        }
    }
}
