/// What all ways to sort share: plans of passes, the regions of their memory, and the kernels by name, with the blocks
/// of each and the launches that several ways share.
package io.samplesort.gpu.launch;
