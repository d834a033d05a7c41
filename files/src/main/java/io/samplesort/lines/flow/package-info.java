/// Lines that come and go: their inputs, what they are handed on to, and threads that take turns at blocks of them.
package io.samplesort.lines.flow;
