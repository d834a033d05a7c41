/// What the module of files and lines uses of the engines. It is exported to that module alone.
package io.samplesort.shared;
