// The source of a library of kernels: it includes a program's own sources, and lists the kernels in them, with their
// launch bounds, and the dynamic shared memory.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace emulator {

// Names and texts; the program itself comes first.
typedef std::vector<std::pair<std::string, std::string>> SourceFiles;

std::string library_source(const SourceFiles& files);

}  // namespace emulator
