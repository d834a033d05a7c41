package io.samplesort.cli.data;

import io.samplesort.cli.npy.HeaderException;
import io.samplesort.cli.npy.NpyType;
import java.nio.file.Path;

/// What the user says about the elements of a file. A NumPy array has that information itself.
public interface Contents {
    /// Returns whether the file is raw even if it begins like a NumPy array.
    boolean isRaw();

    /// Returns the elements of a raw file.
    ///
    /// @param beginning its first bytes
    Elements ofRaw(Path path, Beginning beginning);

    /// Returns the elements of a NumPy array.
    ///
    /// @param type the type in its header
    /// @throws HeaderException if such elements cannot be sorted
    Elements ofArray(Path path, NpyType type) throws HeaderException;

    /// Returns the option that says what a raw file holds.
    String option();
}
