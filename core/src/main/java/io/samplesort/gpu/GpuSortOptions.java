package io.samplesort.gpu;

import io.samplesort.types.Tuning;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// How an engine sorts.
///
/// @param tuningOn    makes the tuning in effect from the default for the GPU
/// @param memoryLimit how much device memory sorts may take, in bytes
/// @param timesPhases whether reports have the time of each phase, which costs a few microseconds for each sort
/// @param stream      the handle of the CUDA stream that all work goes to; null for a stream of the engine's own
public record GpuSortOptions(
        UnaryOperator<Tuning> tuningOn,
        long memoryLimit,
        boolean timesPhases,
        @Nullable Long stream) {}
