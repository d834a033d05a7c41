package io.samplesort.cpu.leaf;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.security.CodeSource;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// The file of the kernels, which lies next to this class. From a folder of classes, the system loads it directly; from
/// a jar, a copy is made first ([KernelCopy]).
///
/// The first sort of a process waits for this, so it uses only classes that Java has loaded already: paths and channels
/// would take 5 ms.
final class KernelFile {
    /// Builds for other systems or processors do not have it.
    static final String NAME = "libsamplesort-cpu-x86-64.so";

    private static final String PATH = KernelFile.class.getPackageName().replace('.', '/') + "/" + NAME;

    private KernelFile() {}

    /// Loads a file.
    interface Loader {
        /// @throws UnsatisfiedLinkError if the system does not load it
        void load(File file);
    }

    /// Makes a loader load the file, or a copy, which is removed afterwards.
    ///
    /// @return why it was not loaded, in words; null if it was
    static String load(Loader loader) {
        try {
            File place = place();
            boolean isFolder = place != null && place.isDirectory();
            if (isFolder && loadsWhereItLies(new File(place, PATH), loader)) {
                return null;
            }
            byte[] found = place == null || isFolder ? null : readFrom(place);
            byte[] content = found == null ? readAsResource() : found;
            return content == null
                    ? "this build has none"
                    : KernelCopy.load(content, new File(System.getProperty("java.io.tmpdir")), loader);
        } catch (IOException e) {
            return "they cannot be read: " + e.getMessage();
        }
    }

    private static boolean loadsWhereItLies(File file, Loader loader) {
        try {
            if (file.isFile()) {
                loader.load(file);
                return true;
            }
        } catch (UnsatisfiedLinkError e) {
            // Nothing in that folder may be executed.
            return false;
        }
        return false;
    }

    /// Returns the content of the file in this jar; null if the jar does not have it.
    static byte[] readFrom(File place) throws IOException {
        try (ZipFile jar = new ZipFile(place)) {
            ZipEntry entry = jar.getEntry(PATH);
            return entry == null ? null : jar.getInputStream(entry).readAllBytes();
        }
    }

    /// Returns the folder or the jar that this class was loaded from; null if it is from somewhere else.
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

    /// Reads the file through class loaders, wherever they have it. They look in all modules of the JDK first, which
    /// takes ten times as long.
    private static byte[] readAsResource() throws IOException {
        try (InputStream in = KernelFile.class.getResourceAsStream(NAME)) {
            return in == null ? null : in.readAllBytes();
        }
    }
}
