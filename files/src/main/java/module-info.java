/// Sorts of files that may be larger than memory, and of lines of text.
///
/// Users call what is in [io.samplesort.files], and describe files and orders of lines with what is in
/// [io.samplesort.files.types]. The other packages may change in any release.
@SuppressWarnings("module")
module io.samplesort.files {
    // Annotations for the compilers of users.
    requires static org.jspecify;
    requires transitive io.samplesort;

    // Writing past the cache of files.
    requires jdk.unsupported;

    exports io.samplesort.files;
    exports io.samplesort.files.types;

    // What the command needs to know about files.
    exports io.samplesort.disk to
            io.samplesort.cli;
}
