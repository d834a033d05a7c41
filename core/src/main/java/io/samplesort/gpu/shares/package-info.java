/// Which GPU of a team sorts which elements, where these belong in the end, and in what order GPUs copy them.
package io.samplesort.gpu.shares;
