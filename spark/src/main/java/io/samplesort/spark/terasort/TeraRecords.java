package io.samplesort.spark.terasort;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32;

/// The records of the sort benchmark (sortbenchmark.org): 100 bytes, of which the first ten are the key.
///
/// A record is made from its number alone, so that it can be made anywhere: a random key, two bytes 0x00 0x11, the
/// number in 32 hexadecimal digits, four bytes 0x88 0x99 0xAA 0xBB, 48 digits, four bytes 0xCC 0xDD 0xEE 0xFF. Keys are
/// not those of the benchmark's own generator.
final class TeraRecords {
    static final int RECORD_BYTES = 100;
    static final int KEY_BYTES = 10;

    private static final byte[] TEMPLATE = template();
    private static final int NUMBER_AT = 12;
    private static final int FILLER_AT = 48;
    private static final int FILLER_BYTES = 48;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private TeraRecords() {}

    private static byte[] template() {
        byte[] record = new byte[RECORD_BYTES];
        Arrays.fill(record, (byte) '0');
        HexFormat hex = HexFormat.of();
        System.arraycopy(hex.parseHex("0011"), 0, record, 10, 2);
        System.arraycopy(hex.parseHex("8899aabb"), 0, record, 44, 4);
        System.arraycopy(hex.parseHex("ccddeeff"), 0, record, 96, 4);
        return record;
    }

    /// Returns a block of records from `first` on.
    static byte[] block(long first, int count) {
        byte[] block = new byte[count * RECORD_BYTES];
        for (int i = 0; i < count; i++) {
            write(block, i * RECORD_BYTES, first + i);
        }
        return block;
    }

    private static void write(byte[] block, int at, long number) {
        System.arraycopy(TEMPLATE, 0, block, at, RECORD_BYTES);
        long random = mix(number);
        LONG.set(block, at, random);
        long more = mix(random);
        block[at + 8] = (byte) more;
        block[at + 9] = (byte) (more >>> 8);
        byte[] digits = HexFormat.of().toHexDigits(number).getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(digits, 0, block, at + NUMBER_AT + 16, 16);
        byte filler = (byte) ('0' + Math.floorMod(more >>> 16, 10));
        Arrays.fill(block, at + FILLER_AT, at + FILLER_AT + FILLER_BYTES, filler);
    }

    /// Spreads every bit over all others (Stafford's variant 13 of the finaliser of MurmurHash3).
    private static long mix(long bits) {
        long z = bits + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /// Returns the sum of the CRC-32 of all records in a block, which does not depend on their order.
    static long checksum(byte[] block) {
        CRC32 crc = new CRC32();
        long sum = 0;
        for (int at = 0; at < block.length; at += RECORD_BYTES) {
            crc.reset();
            crc.update(block, at, RECORD_BYTES);
            sum += crc.getValue();
        }
        return sum;
    }

    /// Compares the keys at two places.
    static int compareKeys(byte[] one, int at, byte[] other, int otherAt) {
        return Arrays.compareUnsigned(one, at, at + KEY_BYTES, other, otherAt, otherAt + KEY_BYTES);
    }
}
