/// Java objects: takes their keys out into columns, sorts them by comparators, and moves references.
package io.samplesort.objects;
