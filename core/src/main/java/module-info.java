/// Sample sort for arrays, memory segments and files, on NVIDIA GPUs and on the CPU.
///
/// Users call what is in [io.samplesort], and describe what they want with [io.samplesort.types]. The other packages
/// may change in any release.
module io.samplesort {
    exports io.samplesort;
    exports io.samplesort.types;
}
