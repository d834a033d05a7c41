package io.samplesort.spark.shuffle;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serializable;

/// How a piece of a partition lies in a stream.
///
/// @param <P> the pieces
public interface PieceFormat<P> extends Serializable {
    /// Writes a piece.
    void write(P piece, DataOutputStream target) throws IOException;

    /// Reads what [#write] has written.
    P read(DataInputStream source) throws IOException;
}
