/// One array on several GPUs: the ways in which its elements go to the GPUs that sort them, and the sorted ones to
/// where they belong.
package io.samplesort.gpu.exchange;
