/// Lines on their way: their inputs, the sinks that take them, and threads that take turns at blocks of them.
package io.samplesort.lines.flow;
