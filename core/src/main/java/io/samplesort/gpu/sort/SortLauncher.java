package io.samplesort.gpu.sort;

import io.samplesort.cuda.Context;
import io.samplesort.gpu.launch.Kernels;

/// What the sorts of one device are launched with.
public record SortLauncher(Context context, Kernels kernels, RepeatedSorts repeated) {
    public SortLauncher(Context context, Kernels kernels) {
        this(context, kernels, new RepeatedSorts());
    }
}
