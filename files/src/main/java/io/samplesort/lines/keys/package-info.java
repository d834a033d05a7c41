/// What lines are compared by: bytes that stand for a line, such that comparing them as unsigned bytes is the order of
/// the lines. Each kind of key has a class that encodes it.
package io.samplesort.lines.keys;
