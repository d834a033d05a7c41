/// Bindings to the CUDA driver and to NVRTC through the Foreign Function and Memory API, and all exceptions of the
/// library.
///
/// Of this module, users of the library need only [io.samplesort.errors]. The bindings may change in any release.
module io.samplesort.cuda {
    // Annotations for the compilers of users.
    requires static org.jspecify;

    exports io.samplesort.cuda;
    exports io.samplesort.errors;
}
