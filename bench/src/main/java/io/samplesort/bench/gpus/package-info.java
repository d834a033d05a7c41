/// `bench gpus`: one array on one and on several GPUs of a host.
package io.samplesort.bench.gpus;
