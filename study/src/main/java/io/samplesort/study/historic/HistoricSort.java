package io.samplesort.study.historic;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import java.util.Optional;

/// A sort of 2008 or 2009. It does one sort at a time: what one sort has put on the stream must be done before the next
/// begins.
///
/// As in those years, the host decides between kernels what comes next, and waits for the device to get the figures
/// that it needs. A sort takes the memory that it needs in addition to the input from the memory pool of the GPU, and
/// gives it back.
public interface HistoricSort extends AutoCloseable {
    /// Sorts elements in device memory in place, ascending. The last kernels may still be running when this returns.
    /// Keys must not be NaN, nor zeros of both signs.
    ///
    /// @param keys     the device address of `count` keys
    /// @param payloads the device address of `count` payloads; 0 if there are none
    /// @return a remark in words if the algorithm is not made for this input, so that the time says little
    /// @throws UndefinedInputException if the algorithm cannot sort this input; in that case elements may have changed
    ///     places
    Optional<String> sort(Stream stream, long keys, long payloads, long count);

    @Override
    void close();

    /// The sorts, with the names that they have in results.
    enum Algorithm {
        /// The sort as published, see [SampleSort2009].
        SAMPLE_SORT_2009("sample-sort-2009") {
            @Override
            public HistoricSort on(Context context, HistoricElement element) {
                return new SampleSort2009(context, element, SampleSortParameters.published(element));
            }
        },
        /// See [GpuQuicksort].
        GPU_QUICKSORT("gpu-quicksort") {
            @Override
            public HistoricSort on(Context context, HistoricElement element) {
                return new GpuQuicksort(context, element);
            }
        },
        /// See [HybridSort].
        HYBRID_SORT("hybrid-sort") {
            @Override
            public boolean sorts(HistoricElement element) {
                return !element.hasPayload() && element.keyBytes() == Integer.BYTES;
            }

            @Override
            public HistoricSort on(Context context, HistoricElement element) {
                return new HybridSort(context, element);
            }
        },
        /// See [BbSort].
        BBSORT("bbsort") {
            @Override
            public HistoricSort on(Context context, HistoricElement element) {
                return new BbSort(context, element);
            }
        };

        private final String name;

        Algorithm(String name) {
            this.name = name;
        }

        /// Returns whether the sort is made for such elements.
        public boolean sorts(HistoricElement element) {
            return true;
        }

        /// Compiles the kernels for the GPU of the context, which must be current for as long as the sort is used.
        public abstract HistoricSort on(Context context, HistoricElement element);

        /// Returns the name in results, such as `gpu-quicksort`.
        @Override
        public String toString() {
            return name;
        }
    }
}
