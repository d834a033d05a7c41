/// What every way to sort is made of: its passes, the regions of its memory, and the kernels by their names, with the
/// blocks of each and the launches that several ways share.
package io.samplesort.gpu.launch;
