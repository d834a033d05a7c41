package io.samplesort.spark.rows;

import java.io.IOException;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/// Rows in order, one at a time.
interface RowRun {
    /// Goes to the next row.
    ///
    /// @return false if there is none
    boolean advance() throws IOException;

    /// Returns the row, in an object that is used again for the next row.
    UnsafeRow row();

    /// Returns the origin of the row's block.
    long origin();
}
