package io.samplesort.cpu.leaf;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;

/// A copy of the kernels' file, which exists only while the system loads it: in the folder for temporary files, or in
/// memory if there is no such folder or the system executes nothing from it.
///
/// A process that ends meanwhile waits for the end of the loading, so that it leaves no copy behind. [KernelLeftovers]
/// removes what a killed process has left.
///
/// The first sort of a process waits for this, as for [KernelFile], so it loads few classes.
final class KernelCopy {
    /// What the names of the folders of copies begin with.
    static final String PREFIX = "samplesort-cpu-";

    /// How many names are tried for a new folder.
    private static final int MOST_NAMES = 8;

    /// Loading takes a few milliseconds. A process waits no longer than this for one that hangs.
    private static final long MOST_WAIT_MILLIS = 2000;

    /// Guarded by this class, as the next one.
    private static boolean isLoading;

    private static boolean isEnding;

    static {
        try {
            Runtime.getRuntime().addShutdownHook(new End());
        } catch (IllegalStateException e) {
            isEnding = true;
        }
    }

    private KernelCopy() {}

    private static final class End extends Thread {
        @Override
        public void run() {
            awaitLoading();
        }
    }

    /// Waits for the end of a loading, and lets no other begin.
    private static synchronized void awaitLoading() {
        isEnding = true;
        try {
            if (isLoading) {
                KernelCopy.class.wait(MOST_WAIT_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Makes a loader load a copy.
    ///
    /// @param parent the folder for temporary files
    /// @return why it was not loaded, in words; null if it was
    static String load(byte[] content, File parent, KernelFile.Loader loader) {
        String problem;
        try {
            loadFrom(content, parent, loader);
            return null;
        } catch (IOException | UnsatisfiedLinkError e) {
            problem = reason(e);
        }
        try {
            MemoryFile.load(content, loader);
            return null;
        } catch (IOException | RuntimeException | LinkageError e) {
            return "no copy of them is loaded from " + parent + " (" + problem + ") nor from memory (" + reason(e)
                    + ")";
        }
    }

    /// Returns why something failed, in words. The message of the system's loader begins with the name of the file.
    private static String reason(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        return message.substring(message.lastIndexOf(": ") + 1).strip();
    }

    /// Makes a loader load a copy, which no other user may write to. The copy is deleted afterwards.
    ///
    /// @param parent the folder in which the copy gets a folder of its own
    static void loadFrom(byte[] content, File parent, KernelFile.Loader loader) throws IOException {
        begin();
        try {
            File folder = newFolder(parent);
            File file = new File(folder, KernelFile.NAME);
            try {
                try (FileOutputStream out = new FileOutputStream(file)) {
                    out.write(content);
                }
                loader.load(file);
            } finally {
                file.delete();
                folder.delete();
            }
        } finally {
            end();
        }
    }

    private static synchronized void begin() throws IOException {
        if (isEnding) {
            throw new IOException("the process is ending");
        }
        isLoading = true;
    }

    private static synchronized void end() {
        isLoading = false;
        KernelCopy.class.notifyAll();
    }

    /// Makes a folder for this user alone. A user who could write to it before it was restricted has either left
    /// something in it or can no longer do so.
    private static File newFolder(File parent) throws IOException {
        long number = System.nanoTime();
        for (int i = 0; i < MOST_NAMES; i++) {
            File folder = new File(parent, PREFIX + Long.toHexString(number + i));
            if (folder.mkdir()) {
                boolean isClosed = folder.setWritable(false, false)
                        && folder.setReadable(false, false)
                        && folder.setExecutable(false, false)
                        && folder.setReadable(true)
                        && folder.setExecutable(true)
                        && folder.setWritable(true);
                String[] names = folder.list();
                if (isClosed && names != null && names.length == 0) {
                    return folder;
                }
                folder.delete();
            }
        }
        throw new IOException("cannot make a folder in " + parent);
    }
}
