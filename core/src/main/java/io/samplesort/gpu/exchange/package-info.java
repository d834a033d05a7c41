/// One array on several GPUs: which GPU sorts which elements, the ways to exchange and to sort them, and the GPUs as a
/// team, with their threads, what they keep and what happens when one fails.
package io.samplesort.gpu.exchange;
