package io.samplesort.lines.keys;

import java.util.Arrays;

/// Bytes of keys, one after another, in an array that grows.
public final class KeyBuffer {
    private byte[] bytes = new byte[256];
    private int length;

    public byte[] bytes() {
        return bytes;
    }

    public int length() {
        return length;
    }

    public void clear() {
        length = 0;
    }

    void add(int value) {
        if (length == bytes.length) {
            grow(1);
        }
        bytes[length++] = (byte) value;
    }

    /// Adds four bytes that have the order of unsigned numbers.
    public void addInt(int value) {
        for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            add(value >>> shift);
        }
    }

    public void add(byte[] source, int from, int to) {
        if (to - from > bytes.length - length) {
            grow(to - from);
        }
        System.arraycopy(source, from, bytes, length, to - from);
        length += to - from;
    }

    /// Reverses the order of all bytes from this place on.
    void complement(int from) {
        for (int i = from; i < length; i++) {
            bytes[i] = (byte) ~bytes[i];
        }
    }

    private void grow(int more) {
        bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(length, more), (int) Math.min(2L * length, 1 << 30)));
    }
}
