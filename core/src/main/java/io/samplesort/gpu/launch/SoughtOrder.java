package io.samplesort.gpu.launch;

import io.samplesort.cuda.Stream;
import io.samplesort.gpu.plan.DeviceElements;

/// An input whose order is looked for.
///
/// @param output where it goes if it is in order already, or in the opposite order
/// @param search device address of what is known of its order, an `OrderSearch` that is 0 before
/// @param mark   device address of what is known of it as the only segment of a first pass: kernels that have put it in
///     its place leave a mark there
/// @param told   address of pinned memory for what the host is told; 0 where it is told nothing
public record SoughtOrder(
        Stream stream, DeviceElements input, DeviceElements output, long count, long search, long mark, long told) {}
