package io.samplesort.disk;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/// A failure of input or output. Its message says what was wrong and what to do, so it can be shown to a user as it is.
public final class FileFailure extends IOException {
    private static final long serialVersionUID = 1L;

    public FileFailure(String message) {
        super(message);
    }

    /// @param what what could not be done; the message goes on with the cause
    public FileFailure(String what, IOException cause) {
        super(what + ": " + reason(cause), cause);
    }

    /// Returns what a sort throws that has ended with an exception: an [InterruptedIOException] if this thread was
    /// interrupted, or else a failure that says what was wrong.
    ///
    /// @param what what could not be done, if the exception does not say so itself
    public static IOException ofSort(String what, IOException thrown) {
        if (isInterrupt(thrown)) {
            return thrown instanceof InterruptedIOException
                    ? thrown
                    : (IOException) new InterruptedIOException("the sort was interrupted").initCause(thrown);
        }
        return thrown instanceof FileFailure ? thrown : new FileFailure(what, thrown);
    }

    /// If one thread is interrupted at a channel, the channel is closed for the other threads, too. The first of them
    /// to find out may have reported that as a failure to read or write.
    private static boolean isInterrupt(IOException thrown) {
        if (thrown instanceof InterruptedIOException || thrown instanceof ClosedByInterruptException) {
            return true;
        }
        boolean isOfChannel = false;
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            isOfChannel |= cause instanceof ClosedChannelException || cause instanceof InterruptedIOException;
        }
        return isOfChannel && Thread.currentThread().isInterrupted();
    }

    /// Returns why something failed, in words. For a missing or protected file, the JDK's own message is only the name
    /// of the file.
    static String reason(IOException cause) {
        return switch (cause) {
            case NoSuchFileException missing -> missing.getFile() + " is not there";
            case AccessDeniedException denied -> "permission denied for " + denied.getFile();
            case FileSystemException other -> other.getReason() == null ? other.toString() : words(other.getReason());
            default -> words(cause.getMessage() == null ? cause.toString() : cause.getMessage());
        };
    }

    /// Returns the words for a message of the operating system.
    private static String words(String message) {
        if (message.startsWith("Too many levels of symbolic links")) {
            return "it is a link that leads back to itself";
        }
        return message.equals("Broken pipe") ? "its reader has gone (broken pipe)" : message;
    }
}
