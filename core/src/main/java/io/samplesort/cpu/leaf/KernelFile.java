package io.samplesort.cpu.leaf;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.security.CodeSource;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// The file of the kernels, which comes along with this class. In a folder of classes the system loads it where it
/// lies; from a jar it goes to a folder of its own first.
///
/// All of this is on the way of the first sort of a process, so it takes what Java has loaded already: paths and
/// channels would take 5 ms.
final class KernelFile {
    /// A build for another system or processor has none.
    private static final String NAME = "libsamplesort-cpu-x86-64.so";

    private static final String PATH = KernelFile.class.getPackageName().replace('.', '/') + "/" + NAME;

    /// How many names a new folder may have.
    private static final int MOST_NAMES = 8;

    private KernelFile() {}

    /// What loads a file.
    interface Loader {
        /// @throws UnsatisfiedLinkError if the system does not load it
        void load(File file);
    }

    /// Has a loader load the file. A copy for this purpose is deleted then.
    ///
    /// @return whether there is one
    /// @throws IOException if there is no room for a copy, or it cannot be read
    static boolean load(Loader loader) throws IOException {
        File place = place();
        if (place != null && place.isDirectory()) {
            File file = new File(place, PATH);
            if (file.isFile()) {
                loader.load(file);
                return true;
            }
        }
        byte[] found = place == null || place.isDirectory() ? null : readFrom(place);
        byte[] content = found == null ? readAsResource() : found;
        if (content != null) {
            loadCopy(content, new File(System.getProperty("java.io.tmpdir")), loader);
        }
        return content != null;
    }

    /// Returns what is in it, as it lies in this jar; null if it does not.
    static byte[] readFrom(File place) throws IOException {
        try (ZipFile jar = new ZipFile(place)) {
            ZipEntry entry = jar.getEntry(PATH);
            return entry == null ? null : jar.getInputStream(entry).readAllBytes();
        }
    }

    /// Returns the folder or the jar that this class is from; null if it is from somewhere else.
    private static File place() {
        CodeSource source = KernelFile.class.getProtectionDomain().getCodeSource();
        URL url = source == null ? null : source.getLocation();
        if (url == null || !url.getProtocol().equals("file")) {
            return null;
        }
        try {
            File file = new File(url.toURI());
            return file.exists() ? file : null;
        } catch (URISyntaxException | IllegalArgumentException e) {
            return null;
        }
    }

    /// Reads it through class loaders, wherever they have it. These look in all modules of the JDK first, which takes
    /// ten times as long.
    private static byte[] readAsResource() throws IOException {
        try (InputStream in = KernelFile.class.getResourceAsStream(NAME)) {
            return in == null ? null : in.readAllBytes();
        }
    }

    /// Has a loader load a copy, which nobody else may write. It is deleted then.
    ///
    /// @param parent where the copy gets a folder
    static void loadCopy(byte[] content, File parent, Loader loader) throws IOException {
        File folder = newFolder(parent);
        File file = new File(folder, NAME);
        try {
            try (FileOutputStream out = new FileOutputStream(file)) {
                out.write(content);
            }
            loader.load(file);
        } finally {
            file.delete();
            folder.delete();
        }
    }

    /// Makes a folder for this user alone. Whoever could write to it before it was closed has left something in it, or
    /// can no longer do so.
    private static File newFolder(File parent) throws IOException {
        long number = System.nanoTime();
        for (int i = 0; i < MOST_NAMES; i++) {
            File folder = new File(parent, "samplesort-cpu-" + Long.toHexString(number + i));
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
