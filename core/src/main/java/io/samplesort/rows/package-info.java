/// Java objects and rows of several key columns: puts their keys into columns, and sorts these as words and strings.
package io.samplesort.rows;
