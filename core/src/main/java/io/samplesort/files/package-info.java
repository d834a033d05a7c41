/// Files that are complete or not there, temporary ones that a crash cannot leave for ever, and a pipeline of reading,
/// sorting and writing. Knows nothing of engines. Not for users.
package io.samplesort.files;
