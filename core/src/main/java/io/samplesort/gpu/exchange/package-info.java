/// Sorts of one array on several GPUs: which GPU sorts which elements, the ways to exchange and sort them, and the GPUs
/// as a team: their threads, what they keep between sorts, and what happens when one fails.
package io.samplesort.gpu.exchange;
