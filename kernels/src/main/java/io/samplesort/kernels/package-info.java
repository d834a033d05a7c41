/// Ready-made kernels as samplesort asks for them, and the archive that they lie in.
package io.samplesort.kernels;
