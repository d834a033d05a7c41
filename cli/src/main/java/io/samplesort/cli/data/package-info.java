/// What files hold: numbers and records. Files are opened, written, generated and checked here.
package io.samplesort.cli.data;
