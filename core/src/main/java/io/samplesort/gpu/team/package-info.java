/// Several GPUs that sort one array together: what each has and keeps, the threads that lead them, and who failed.
package io.samplesort.gpu.team;
