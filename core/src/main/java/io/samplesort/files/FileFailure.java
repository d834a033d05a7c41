package io.samplesort.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/// A failure of input or output whose message says what was wrong and what to do: it can be shown to a user as it is.
public final class FileFailure extends IOException {
    private static final long serialVersionUID = 1L;

    public FileFailure(String message) {
        super(message);
    }

    /// @param what what could not be done; why is added
    public FileFailure(String what, IOException cause) {
        super(what + ": " + reason(cause), cause);
    }

    /// Why something failed, in words: of a missing or locked file the JDK's own message is its name alone.
    private static String reason(IOException cause) {
        return switch (cause) {
            case NoSuchFileException missing -> missing.getFile() + " is not there";
            case AccessDeniedException denied -> "access to " + denied.getFile() + " is denied";
            case FileSystemException other -> other.getReason() == null ? other.toString() : other.getReason();
            default -> cause.getMessage() == null ? cause.toString() : cause.getMessage();
        };
    }
}
