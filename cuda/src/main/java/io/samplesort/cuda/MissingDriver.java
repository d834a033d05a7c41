package io.samplesort.cuda;

import java.util.List;

/// Searches the files of this machine for the driver, for sorts on the best device. So on a machine without a GPU, the
/// first sort of a process does not wait until Java can call native functions, only to find no driver.
public final class MissingDriver {
    private static final String MESSAGE = find();

    private MissingDriver() {}

    /// Returns what an exception of [Cuda#requireLibrary] would say if there is surely no driver; null if there may be
    /// one, which only [Cuda] can find out. The search happens once in a process.
    public static String message() {
        return MESSAGE;
    }

    private static String find() {
        // If Java denies native access, that is the reason to tell.
        boolean mayCall = MissingDriver.class.getModule().isNativeAccessEnabled();
        if (!mayCall || System.getProperty(Cuda.LIBRARY_PROPERTY) != null) {
            return null;
        }
        LibraryPlaces places = LibraryPlaces.forDriver();
        return places.surelyLacksDriver() ? Cuda.UNUSABLE + reason(places.driver()) : null;
    }

    /// Returns the message that the driver cannot be loaded by the first of these names.
    static String reason(List<String> names) {
        return "no NVIDIA driver: " + names.getFirst()
                + " cannot be loaded; install the NVIDIA driver for CUDA 12.4 or newer, or,"
                + " if a driver is in an unusual place, name its library with -D" + Cuda.LIBRARY_PROPERTY;
    }
}
