/// What the engines make reports of their sorts with.
package io.samplesort.reports;
