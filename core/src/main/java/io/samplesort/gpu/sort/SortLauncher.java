package io.samplesort.gpu.sort;

import io.samplesort.cuda.Context;
import io.samplesort.gpu.launch.Kernels;

/// What all sorts of one device need for their launches.
public record SortLauncher(Context context, Kernels kernels, RepeatedSorts repeated) {
    public SortLauncher(Context context, Kernels kernels) {
        this(context, kernels, new RepeatedSorts());
    }
}
