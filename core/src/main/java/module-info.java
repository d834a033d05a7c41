/// Sample sort for arrays and memory segments, on NVIDIA GPUs and on the CPU.
///
/// Only [io.samplesort] is for users; the other packages may change in any release.
module io.samplesort {
    exports io.samplesort;
}
