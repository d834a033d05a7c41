/// Ready-made kernels as samplesort asks for them, and the archive that has them.
package io.samplesort.kernels;
