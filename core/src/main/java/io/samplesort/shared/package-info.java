/// The parts of the engines that the module of files and lines uses. They are exported to that module only.
package io.samplesort.shared;
