package io.samplesort.cuda;

import java.util.List;

/// A look for the driver among the files of this machine, for sorts on the best device. On a machine without a GPU, the
/// first sort of a process shall not wait until Java can call native functions, only to find none.
public final class MissingDriver {
    private static final String MESSAGE = find();

    private MissingDriver() {}

    /// Returns what an exception of [Cuda#requireLibrary] would say if there is surely no driver; null if there may be
    /// one, which only [Cuda] finds out. This looks once in a process.
    public static String message() {
        return MESSAGE;
    }

    private static String find() {
        // Where Java denies native access, that is the reason to tell.
        boolean mayCall = MissingDriver.class.getModule().isNativeAccessEnabled();
        if (!mayCall || System.getProperty(Cuda.LIBRARY_PROPERTY) != null) {
            return null;
        }
        LibraryPlaces places = LibraryPlaces.forDriver();
        return places.surelyLacksDriver() ? Cuda.UNUSABLE + reason(places.driver()) : null;
    }

    /// Says that the driver cannot be loaded by the first of these names.
    static String reason(List<String> names) {
        return "no NVIDIA driver: " + names.getFirst()
                + " cannot be loaded; install the NVIDIA driver for CUDA 12.4 or newer, or,"
                + " if a driver is in an unusual place, name its library with -D" + Cuda.LIBRARY_PROPERTY;
    }
}
