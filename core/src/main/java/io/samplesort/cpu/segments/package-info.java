/// Sorts on the CPU of the segments of an array, each by itself. Start at [SegmentCpuSorter]. A [SegmentSchedule]
/// shares the segments among threads by their elements: all threads sort a long segment together, and one thread sorts
/// many short ones by few calls. What a thread does with them is a [SegmentWork].
package io.samplesort.cpu.segments;
