package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.types.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// What users ask of a GPU, each kind once, with inputs so small that a test can make every driver call fail in turn.
enum GpuWork {
    DEVICE_PAIRS {
        @Override
        SorterBuilder builder() {
            return pairs();
        }

        @Override
        Trial trial() {
            return new DeviceTrial(true) {
                @Override
                public void run(Sorter sorter) {
                    sorter.sort(keys, second);
                }

                @Override
                public void checkResult() {
                    checkPairs(keys(), second());
                }
            };
        }
    },
    DEVICE_PAIRS_BY_INDEX {
        @Override
        SorterBuilder builder() {
            return pairs().stable();
        }

        @Override
        Trial trial() {
            return DEVICE_PAIRS.trial();
        }
    },
    DEVICE_PAIRS_ON_A_STREAM {
        @Override
        SorterBuilder builder() {
            return pairs();
        }

        @Override
        Trial trial() {
            return new DeviceTrial(true) {
                @Override
                public void run(Sorter sorter) {
                    try (Context context = Context.retainPrimary(0);
                            Context.Scope scope = context.enter();
                            Stream stream = Stream.create(context)) {
                        sorter.sortAsync(keys, List.of(second), stream.handle());
                        stream.synchronize();
                    }
                }

                @Override
                public void checkResult() {
                    checkPairs(keys(), second());
                }
            };
        }
    },
    DEVICE_COPY {
        @Override
        Trial trial() {
            return new DeviceTrial(false) {
                private final DeviceMemory target = owned.add(DeviceMemory.allocate(GPU, COUNT * 8L));

                @Override
                public void run(Sorter sorter) {
                    sorter.sortedCopy(keys, target);
                }

                @Override
                public void checkResult() {
                    assertThat(longs(target)).isEqualTo(SORTED);
                    assertThat(keys()).isEqualTo(KEYS);
                }

                @Override
                public void checkInput(String message, boolean isAlive) {
                    if (isAlive) {
                        assertThat(keys()).isEqualTo(KEYS);
                    }
                }
            };
        }
    },
    DEVICE_INDEXES {
        @Override
        Trial trial() {
            return new DeviceTrial(true) {
                private final DeviceMemory target = owned.add(DeviceMemory.allocate(GPU, COUNT * 8L));

                @Override
                public void run(Sorter sorter) {
                    sorter.argsort(keys, second);
                    sorter.applyPermutation(second, ElementType.LONG, keys, target);
                    assertThat(sorter.isSorted(target)).isTrue();
                }

                @Override
                public void checkResult() {
                    assertThat(longs(target)).isEqualTo(SORTED);
                    assertThat(keys()).isEqualTo(KEYS);
                }

                @Override
                public void checkInput(String message, boolean isAlive) {
                    if (isAlive) {
                        assertThat(keys()).isEqualTo(KEYS);
                    }
                }
            };
        }
    },
    HOST_PAIRS {
        @Override
        SorterBuilder builder() {
            return pairs();
        }

        @Override
        Trial trial() {
            return new HostTrial();
        }
    },
    HOST_PAIRS_BY_INDEX {
        @Override
        SorterBuilder builder() {
            return pairs().stable();
        }

        @Override
        Trial trial() {
            return new HostTrial();
        }
    },
    HOST_INDEXES {
        @Override
        Trial trial() {
            return new HostTrial() {
                private int[] permutation = {};

                @Override
                public void run(Sorter sorter) {
                    permutation = sorter.argsort(MemorySegment.ofArray(keys));
                }

                @Override
                public void checkResult() {
                    assertThat(Arrays.stream(permutation)
                                    .mapToLong(i -> KEYS[i])
                                    .toArray())
                            .isEqualTo(SORTED);
                    assertThat(keys).isEqualTo(KEYS);
                }
            };
        }
    },
    /// In chunks, which stay on the device.
    HOST_CHUNKS {
        @Override
        SorterBuilder builder() {
            return pairs().tuning(CHUNKS);
        }

        @Override
        Trial trial() {
            return new HostTrial();
        }
    },
    /// In chunks, which go back to the host between their sorts.
    HOST_CHUNKS_LARGER_THAN_THE_DEVICE {
        @Override
        SorterBuilder builder() {
            return pairs().tuning(CHUNKS).deviceMemory(LITTLE_MEMORY);
        }

        @Override
        Trial trial() {
            return new HostTrial();
        }
    };

    /// Enough for two passes, and for five chunks.
    private static final int COUNT = 2300;

    private static final String CHUNKS = "chunkBytes=4096,transferBytes=4096,transferThreads=1,maxChunkCount=6";
    /// For two of the chunks, but not for all.
    private static final long LITTLE_MEMORY = 40 << 10;

    private static final long[] KEYS = new SplittableRandom(3).longs(COUNT).toArray();
    private static final long[] SORTED = Arrays.stream(KEYS).sorted().toArray();
    private static final int[] PLACES = IntStream.range(0, COUNT).toArray();

    private static final Device GPU = Device.gpu(0);

    SorterBuilder builder() {
        return SampleSort.onGpu().tuning(GpuContractTest.TINY);
    }

    private static SorterBuilder pairs() {
        return SampleSort.onGpu().tuning(GpuContractTest.TINY).payload(ElementType.INT);
    }

    /// Makes an input for one try.
    abstract Trial trial();

    /// One try at the work, on an input of its own.
    interface Trial extends AutoCloseable {
        void run(Sorter sorter);

        void checkResult();

        /// Checks what holds of the input after a failure.
        ///
        /// @param message of the failure, which may say that the input has changed
        /// @param isAlive whether device memory can be read
        void checkInput(String message, boolean isAlive);

        /// Writes to memory that a failed sort was given, with which any of its work would race that is not over.
        default void refill() {}

        @Override
        void close();
    }

    private abstract static class DeviceTrial implements Trial {
        final Owned owned = new Owned();
        final DeviceMemory keys = owned.add(DeviceMemory.allocate(GPU, COUNT * 8L));
        final DeviceMemory second;

        DeviceTrial(boolean hasSecond) {
            refill();
            second = hasSecond ? owned.add(DeviceMemory.allocate(GPU, COUNT * 4L)) : null;
            if (hasSecond) {
                second.copyFrom(MemorySegment.ofArray(PLACES));
            }
        }

        static long[] longs(DeviceMemory memory) {
            long[] longs = new long[COUNT];
            memory.copyTo(MemorySegment.ofArray(longs));
            return longs;
        }

        long[] keys() {
            return longs(keys);
        }

        int[] second() {
            int[] ints = new int[COUNT];
            second.copyTo(MemorySegment.ofArray(ints));
            return ints;
        }

        /// A failed sort in place promises nothing of device memory.
        @Override
        public void checkInput(String message, boolean isAlive) {}

        @Override
        public final void refill() {
            keys.copyFrom(MemorySegment.ofArray(KEYS));
        }

        @Override
        public void close() {
            owned.close();
        }
    }

    private static class HostTrial implements Trial {
        final long[] keys = KEYS.clone();
        private final int[] places = PLACES.clone();

        @Override
        public void run(Sorter sorter) {
            sorter.sort(MemorySegment.ofArray(keys), MemorySegment.ofArray(places));
        }

        @Override
        public void checkResult() {
            checkPairs(keys, places);
        }

        @Override
        public void checkInput(String message, boolean isAlive) {
            if (message.contains("the input holds all its elements")) {
                for (int i = 0; i < COUNT; i++) {
                    assertThat(keys[i]).isEqualTo(KEYS[places[i]]);
                }
                assertThat(Arrays.stream(keys).sorted().toArray()).isEqualTo(SORTED);
            } else if (message.contains("the input is sorted")) {
                checkResult();
            } else if (message.contains("the input is lost")) {
                assertThat(message).contains("bytes of the input are overwritten with sorted elements");
            } else {
                assertThat(keys).as("keys after the failure: %s", message).isEqualTo(KEYS);
                assertThat(places).as("payloads after the failure: %s", message).isEqualTo(PLACES);
            }
        }

        @Override
        public void close() {}
    }

    private static void checkPairs(long[] keys, int[] places) {
        assertThat(keys).isEqualTo(SORTED);
        for (int i = 0; i < COUNT; i++) {
            assertThat(keys[i]).isEqualTo(KEYS[places[i]]);
        }
    }
}
