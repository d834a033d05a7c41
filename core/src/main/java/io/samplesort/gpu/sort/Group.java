package io.samplesort.gpu.sort;

import io.samplesort.cuda.Stream;

/// The segments that one launch sees: those of one group, or all.
///
/// @param number which group, from 0
/// @param count  how many groups the segments are seen as; 1 if the launch sees all
/// @param lane   which of the buffers that groups use in turn
/// @param stream where the launches of the group go
record Group(int number, int count, int lane, Stream stream) {
    static Group ofAll(Stream stream) {
        return new Group(0, 1, 0, stream);
    }
}
