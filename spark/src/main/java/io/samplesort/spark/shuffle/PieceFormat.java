package io.samplesort.spark.shuffle;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serializable;

/// The format of a piece of a partition in a stream.
///
/// @param <P> the type of the pieces
public interface PieceFormat<P> extends Serializable {
    /// Writes a piece.
    void write(P piece, DataOutputStream target) throws IOException;

    /// Reads what [#write] has written.
    P read(DataInputStream source) throws IOException;
}
