package io.samplesort.spark.terasort;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/// A summary of one file of records.
///
/// @param file     its path
/// @param count    how many records it has
/// @param checksum the sum of their CRC-32
/// @param disorder the first record that comes before its predecessor; -1 if there is none
/// @param first    the first key; empty for an empty file
/// @param last     the last key; empty for an empty file
record FileSummary(String file, long count, long checksum, long disorder, byte[] first, byte[] last)
        implements Serializable {
    private static final long serialVersionUID = 1;

    private static final int BLOCK_BYTES = 10_000 * TeraRecords.RECORD_BYTES;

    /// Reads a file.
    static FileSummary of(String file, Configuration settings) throws IOException {
        Path path = new Path(file);
        long length = path.getFileSystem(settings).getFileStatus(path).getLen();
        if (length % TeraRecords.RECORD_BYTES != 0) {
            throw new EOFException(file + " has " + length + " bytes, which are no whole records");
        }
        long checksum = 0;
        long disorder = -1;
        byte[] first = {};
        byte[] last = {};
        try (DataInputStream input = path.getFileSystem(settings).open(path)) {
            for (long done = 0; done < length; ) {
                byte[] block = new byte[(int) Math.min(BLOCK_BYTES, length - done)];
                input.readFully(block);
                checksum += TeraRecords.checksum(block);
                for (int at = 0; at < block.length; at += TeraRecords.RECORD_BYTES) {
                    boolean isFirst = done == 0 && at == 0;
                    int comparison = isFirst
                            ? 0
                            : at == 0
                                    ? TeraRecords.compareKeys(last, 0, block, 0)
                                    : TeraRecords.compareKeys(block, at - TeraRecords.RECORD_BYTES, block, at);
                    if (comparison > 0 && disorder < 0) {
                        disorder = (done + at) / TeraRecords.RECORD_BYTES;
                    }
                }
                if (done == 0) {
                    first = Arrays.copyOf(block, TeraRecords.KEY_BYTES);
                }
                int lastAt = block.length - TeraRecords.RECORD_BYTES;
                last = Arrays.copyOfRange(block, lastAt, lastAt + TeraRecords.KEY_BYTES);
                done += block.length;
            }
        }
        return new FileSummary(file, length / TeraRecords.RECORD_BYTES, checksum, disorder, first, last);
    }
}
