package io.samplesort.study.historic;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import java.util.Optional;

/// A sort of 2008 or 2009. Serves one sort at a time: what one has put on the stream must be done before the next
/// begins.
///
/// As then, the host decides between kernels what comes next, and waits for what it needs to know; what a sort needs
/// beside the input it takes from the GPU's memory pool and gives back.
public interface HistoricSort extends AutoCloseable {
    /// Sorts elements in device memory in place, ascending. The last kernels may still be under way when this returns.
    /// Keys must not be NaN, nor zeros of both signs.
    ///
    /// @param keys     device address of `count` keys
    /// @param payloads device address of `count` payloads; 0 where there are none
    /// @return in words, where the input was not what the algorithm is made for, so that the time says little; empty
    ///     otherwise
    /// @throws UndefinedInputException if the algorithm has no answer for this input; the elements may have changed
    ///     places then
    Optional<String> sort(Stream stream, long keys, long payloads, long count);

    @Override
    void close();

    /// The sorts, by the names they have in results.
    enum Algorithm {
        /// As published, see [SampleSort2009].
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

        /// Whether it is made for such elements.
        public boolean sorts(HistoricElement element) {
            return true;
        }

        /// Compiles its kernels for the GPU of the context, which must be current for as long as the sort is used.
        public abstract HistoricSort on(Context context, HistoricElement element);

        /// The name in results, such as `gpu-quicksort`.
        @Override
        public String toString() {
            return name;
        }
    }
}
