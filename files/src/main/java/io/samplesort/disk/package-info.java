/// Files that are either complete or absent, temporary files that a crash cannot leave for ever, and a pipeline of
/// reading, sorting and writing. This package knows nothing of engines, and is not for users.
package io.samplesort.disk;
