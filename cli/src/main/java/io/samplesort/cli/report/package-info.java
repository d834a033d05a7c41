/// What users are told: results for people and for programs, progress, and failures.
package io.samplesort.cli.report;
