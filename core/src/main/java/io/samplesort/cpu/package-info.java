/// CPU engine: the same sample sort in Java on all cores.
package io.samplesort.cpu;
