/// What users get to see: results for people and for programs, progress, and failures.
package io.samplesort.cli.report;
