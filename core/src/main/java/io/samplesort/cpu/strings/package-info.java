/// Sorts of strings of any length on the CPU.
package io.samplesort.cpu.strings;
