/// Host memory: how much of it is available, and allocating gigabytes of it quickly.
package io.samplesort.memory;
