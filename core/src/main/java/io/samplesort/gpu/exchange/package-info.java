/// One array on several GPUs: which GPU sorts which elements, and the ways to exchange and to sort them.
package io.samplesort.gpu.exchange;
