package io.samplesort.bench.host;

import io.samplesort.Device;
import io.samplesort.PinnedSegment;
import io.samplesort.Sorter;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Function;

/// A sort of longs in host memory that is measured.
abstract class HostContender {
    private final String name;

    private HostContender(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /// Copies the input to where this contender sorts it.
    abstract void load(long[] input);

    /// Sorts what was loaded. Returns null if this contender makes no report.
    abstract SortReport sort();

    /// Returns whether the result equals `expected`.
    abstract boolean hasSorted(long[] expected);

    /// Gives the memory back. The next load takes new memory.
    abstract void release();

    /// Returns a contender that sorts an array and makes no report.
    static HostContender ofArray(String name, Consumer<long[]> sort) {
        return ofArrayWithReport(name, array -> {
            sort.accept(array);
            return null;
        });
    }

    /// Returns a contender that sorts an array and makes a report.
    static HostContender ofArrayWithReport(String name, Function<long[], SortReport> sort) {
        return new HostContender(name) {
            private long[] array = new long[0];

            @Override
            void load(long[] input) {
                if (array.length != input.length) {
                    array = new long[input.length];
                }
                System.arraycopy(input, 0, array, 0, input.length);
            }

            @Override
            SortReport sort() {
                return sort.apply(array);
            }

            @Override
            boolean hasSorted(long[] expected) {
                return Arrays.equals(array, expected);
            }

            @Override
            void release() {
                array = new long[0];
            }
        };
    }

    /// Returns a contender that sorts pinned memory.
    static HostContender ofPinned(String name, Device gpu, Sorter sorter) {
        return new HostContender(name) {
            private PinnedSegment pinned;

            @Override
            void load(long[] input) {
                long bytes = (long) input.length * Long.BYTES;
                if (pinned == null || pinned.segment().byteSize() != bytes) {
                    release();
                    pinned = PinnedSegment.allocate(gpu, bytes);
                }
                MemorySegment.copy(input, 0, pinned.segment(), ValueLayout.JAVA_LONG, 0, input.length);
            }

            @Override
            SortReport sort() {
                return sorter.sort(pinned.segment());
            }

            @Override
            boolean hasSorted(long[] expected) {
                return pinned.segment().mismatch(MemorySegment.ofArray(expected)) == -1;
            }

            @Override
            void release() {
                if (pinned != null) {
                    pinned.close();
                    pinned = null;
                }
            }
        };
    }
}
