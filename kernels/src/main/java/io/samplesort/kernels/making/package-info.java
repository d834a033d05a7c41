/// How the build makes the ready-made kernels. This is no part of the jar.
package io.samplesort.kernels.making;
