/// Host memory: how much of it is available, allocating gigabytes of it quickly, and parts of arrays.
package io.samplesort.memory;
