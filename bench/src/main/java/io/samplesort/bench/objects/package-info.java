/// Measures sorts of Java objects beside the JDK's.
package io.samplesort.bench.objects;
