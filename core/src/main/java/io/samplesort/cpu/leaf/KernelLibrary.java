package io.samplesort.cpu.leaf;

/// The library of kernels in this process. It is loaded once, when it is first asked for.
final class KernelLibrary {
    /// Setting this system property to `false` keeps the library from being loaded.
    private static final String SWITCH = "samplesort.simd";

    private static final boolean IS_FOR_THIS_SYSTEM =
            System.getProperty("os.arch").equals("amd64")
                    && System.getProperty("os.name").equals("Linux");

    /// Guarded by this class, as the next one.
    private static boolean isLoaded;

    private static String problem;

    private KernelLibrary() {}

    /// Returns why no native function may be called in this process, in words; null if they may be called.
    static String refusal() {
        if (!KernelLibrary.class.getModule().isNativeAccessEnabled()) {
            // Otherwise the virtual machine would print a warning, or throw.
            return "this process may not call native functions: start Java with"
                    + " --enable-native-access=ALL-UNNAMED";
        }
        if (!Boolean.parseBoolean(System.getProperty(SWITCH, "true"))) {
            return SWITCH + "=false keeps them out";
        }
        return IS_FOR_THIS_SYSTEM ? null : "they are for Linux on x86-64";
    }

    /// Returns why the library is not loaded, in words; null if it is. Call this only if [#refusal] is null.
    static synchronized String problem() {
        if (!isLoaded) {
            isLoaded = true;
            try {
                problem = KernelFile.load(new Kernels.Loader());
            } catch (RuntimeException | LinkageError e) {
                problem = "loading them has failed: " + e;
            }
        }
        return problem;
    }
}
