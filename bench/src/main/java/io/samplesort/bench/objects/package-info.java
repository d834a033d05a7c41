/// Measures sorts of Java objects against the JDK's.
package io.samplesort.bench.objects;
