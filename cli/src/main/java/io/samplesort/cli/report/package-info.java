/// What the user is told: failures, progress, reports and JSON.
package io.samplesort.cli.report;
