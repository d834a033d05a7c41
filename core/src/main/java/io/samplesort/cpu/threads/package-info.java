/// The threads of the CPU engine: helpers that all sorts share, and loops that they and the calling thread run.
package io.samplesort.cpu.threads;
