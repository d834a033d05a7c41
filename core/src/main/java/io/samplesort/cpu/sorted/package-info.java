/// Works on keys that are sorted already: merges them, finds runs of equal keys, combines two inputs as sets, and looks
/// for places of other keys. Start at [CpuSortedOperations].
///
/// All of this is one pass over memory. Inputs are cut into tiles that fit in a cache, at places where the results of
/// one tile do not depend on another ([RunCuts], [SetCuts]). A [Tile] is worked on by itself, whatever its elements
/// are, and [SortedKernels] do the same with numbers. Where a tile's results go is known when those of the tiles before
/// it are counted ([TileChain]).
///
/// [RunCuts]: io.samplesort.memory.RunCuts
/// [SortedKernels]: io.samplesort.cpu.leaf.SortedKernels
package io.samplesort.cpu.sorted;
