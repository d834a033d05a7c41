/// What a sort is described with and what it answers: element types, orders, tuning, files, reports and errors.
package io.samplesort.types;
