package io.samplesort.cuda;

import static io.samplesort.cuda.NativeFunction.address;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.samplesort.errors.CudaException;
import io.samplesort.errors.GpuUnavailableException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/// The CUDA driver of this machine, or the reason why it cannot be used. The driver is found and initialised once in a
/// process.
public final class Cuda {
    /// The system property that names the driver library, for drivers in unusual places and for tests.
    public static final String LIBRARY_PROPERTY = "samplesort.cuda.library";

    /// The begin of messages that say why no GPU can be used.
    static final String UNUSABLE = "the GPU cannot be used: ";

    /// CUDA 12.4 is the first with cuFuncGetParamInfo.
    private static final int OLDEST_DRIVER_VERSION = 12040;

    private static final int NO_DEVICE = 100;

    private static final AtomicBoolean IS_STARTED = new AtomicBoolean();

    /// Is counted down when the driver's library has been opened, or has not been found.
    private static final CountDownLatch SOUGHT = new CountDownLatch(1);

    private static volatile boolean isLibraryThere;

    private static volatile boolean isInitialised;

    /// Work for another thread while the driver initialises; null for none.
    private static volatile Runnable meanwhile;

    private Cuda() {}

    /// Loads and initialises the driver in the background, for callers who have other work to do before they need it.
    ///
    /// @param work what another thread does while the driver initialises
    public static void start(Runnable work) {
        if (IS_STARTED.compareAndSet(false, true)) {
            meanwhile = work;
            Background.runNative("driver", new DriverStart());
        }
    }

    private static final class DriverStart implements Runnable {
        @Override
        public void run() {
            driverUnavailableReason();
        }
    }

    /// Says why no GPU can be used for kernels that have to be compiled, and what to install; empty if one can be used.
    public static Optional<String> unavailableReason() {
        if (Loaded.REASON != null) {
            return Optional.of(Loaded.REASON);
        }
        return Nvrtc.unavailableReason();
    }

    /// Says why the driver cannot be used; empty if it can. NVRTC may be missing all the same.
    public static Optional<String> driverUnavailableReason() {
        return Optional.ofNullable(Loaded.REASON);
    }

    /// Checks that kernels can be compiled and used on a GPU.
    ///
    /// @throws GpuUnavailableException with the reason, if that cannot be done
    public static void require() {
        Optional<String> reason = unavailableReason();
        if (reason.isPresent()) {
            throw new GpuUnavailableException(UNUSABLE + reason.get());
        }
    }

    /// Checks that the driver can be used. The compiler may be missing all the same.
    ///
    /// @throws GpuUnavailableException with the reason, if it cannot be used
    public static void requireDriver() {
        driver();
    }

    /// Checks that the driver's library exists, which takes far less time than starting the driver. [#start] must have
    /// been called.
    ///
    /// @throws GpuUnavailableException with the reason, if the library is not there
    public static void requireLibrary() {
        boolean isInterrupted = false;
        while (SOUGHT.getCount() > 0) {
            try {
                SOUGHT.await();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        if (!isLibraryThere) {
            driver();
        }
    }

    /// Returns whether it is known if the driver can be used, so that no function of this class waits for it.
    public static boolean isInitialised() {
        return isInitialised;
    }

    /// Returns the newest CUDA version that the driver supports, such as 13000 for 13.0.
    public static int driverVersion() {
        return driverVersion(driver());
    }

    /// Returns the newest CUDA version that the driver supports, such as `13.0`.
    public static String versionText() {
        return versionText(driverVersion());
    }

    private static String versionText(int version) {
        return version / 1000 + "." + version % 1000 / 10;
    }

    /// Returns the path or name by which the driver library was found.
    public static String libraryPath() {
        return driver().library.name();
    }

    static Driver driver() {
        if (Loaded.DRIVER == null) {
            throw new GpuUnavailableException(UNUSABLE + Loaded.REASON);
        }
        return Loaded.DRIVER;
    }

    private static int driverVersion(Driver driver) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_INT);
            driver.driverGetVersion.call(address(out));
            return out.get(JAVA_INT, 0);
        }
    }

    /// Loads the driver once, at its first use.
    private static final class Loaded {
        static final Driver DRIVER;
        static final String REASON;

        static {
            Driver driver = null;
            String reason = null;
            String named = System.getProperty(LIBRARY_PROPERTY);
            List<String> names = named == null ? LibraryPlaces.ofThisSystem().driver() : List.of(named);
            try {
                driver = Driver.start(open(names), meanwhile);
                reason = tooOld(driverVersion(driver));
            } catch (IllegalCallerException e) {
                reason = "this JVM may not call native code: start it with --enable-native-access=ALL-UNNAMED, or "
                        + "=io.samplesort,io.samplesort.cuda if samplesort is on the module path";
            } catch (IllegalArgumentException e) {
                reason = driverMissing(names, e);
            } catch (CudaException e) {
                reason = e.code() == NO_DEVICE
                        ? "the NVIDIA driver sees no GPU (check nvidia-smi and CUDA_VISIBLE_DEVICES)"
                        : e.getMessage();
            }
            DRIVER = reason == null ? driver : null;
            REASON = reason;
            isInitialised = true;
        }

        /// Opens the first library that exists.
        private static NativeLibrary open(List<String> names) {
            IllegalArgumentException first = null;
            try {
                for (String name : names) {
                    try {
                        NativeLibrary library = NativeLibrary.open(name);
                        isLibraryThere = true;
                        return library;
                    } catch (IllegalArgumentException e) {
                        first = first == null ? e : first;
                    }
                }
                throw first;
            } finally {
                SOUGHT.countDown();
            }
        }

        private static String driverMissing(List<String> names, IllegalArgumentException e) {
            boolean isTooOld = e.getMessage() != null && e.getMessage().contains("has no function");
            return isTooOld ? e.getMessage() : MissingDriver.reason(names);
        }

        private static String tooOld(int version) {
            return version >= OLDEST_DRIVER_VERSION
                    ? null
                    : "the NVIDIA driver is for CUDA " + versionText(version) + "; install one for CUDA 12.4 or newer";
        }
    }
}
