package io.samplesort.lines.keys;

import java.io.IOException;

/// Takes the bytes of a key, one piece after another.
@FunctionalInterface
public interface KeySink {
    void add(byte[] bytes, int from, int to) throws IOException;
}
