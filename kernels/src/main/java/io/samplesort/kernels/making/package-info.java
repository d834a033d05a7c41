/// Makes the ready-made kernels during the build. This is not part of the jar.
package io.samplesort.kernels.making;
