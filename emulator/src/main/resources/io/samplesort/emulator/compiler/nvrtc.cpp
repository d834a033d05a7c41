// NVRTC's functions: g++ compiles the sources of a program, as they are, to a library of kernels.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>

#include "compiler/library_source.h"
#include "engine/export.h"
#include "engine/module.h"
#include "engine/settings.h"

using namespace emulator;

namespace {

constexpr int kCompilationFailed = 6;

struct Program {
    SourceFiles files;
    std::string log;
    std::string image;
};

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

// Writes a file, and makes the folders that its name has in it. The file appears as a whole, since another process may
// be compiling the same program.
bool write_file(const std::string& folder, const std::string& name, const std::string& text) {
    for (size_t slash = name.find('/'); slash != std::string::npos; slash = name.find('/', slash + 1)) {
        mkdir((folder + "/" + name.substr(0, slash)).c_str(), 0700);
    }
    const std::string path = folder + "/" + name;
    const std::string unfinished = path + "." + std::to_string(getpid());
    std::ofstream out(unfinished, std::ios::binary);
    out << text;
    out.close();
    return out.good() && rename(unfinished.c_str(), path.c_str()) == 0;
}

std::string folder_of(const Program& program) {
    uint64_t hash = 14695981039346656037ull;
    for (const auto& [name, text] : program.files) {
        for (const char c : name + '\0' + text + '\0') {
            hash = (hash ^ (unsigned char)c) * 1099511628211ull;
        }
    }
    char digits[32];
    snprintf(digits, sizeof(digits), "%016llx", (unsigned long long)hash);
    return home() + "/kernels/" + digits;
}

// Threads that compile the same program take turns, since they write the same files.
std::mutex& turn_of(const std::string& folder) {
    static std::mutex guard;
    static std::map<std::string, std::mutex> turns;
    const std::lock_guard<std::mutex> lock(guard);
    return turns[folder];
}

bool compile(Program& program) {
    const std::string folder = folder_of(program);
    const std::lock_guard<std::mutex> turn(turn_of(folder));
    mkdir((home() + "/kernels").c_str(), 0700);
    mkdir(folder.c_str(), 0700);
    bool written = write_file(folder, "library.cpp", library_source(program.files));
    for (const auto& [name, text] : program.files) {
        written &= write_file(folder, name, text);
    }
    if (!written) {
        program.log = "the sources cannot be written to " + folder;
        return false;
    }
    const std::string process = std::to_string(getpid());
    const std::string object = counts_coverage() ? folder + "/library.o" : folder + "/library-" + process + ".o";
    const std::string library = folder + "/library-" + process + ".so";
    const std::string command = "cd '" + folder + "' && { " EMULATOR_CXX
        " -std=c++17 -fPIC -fno-exceptions -fno-rtti -fno-strict-aliasing -ffp-contract=off"
        " -fvisibility=hidden -fno-extern-tls-init -Wno-unknown-pragmas -Wno-attributes"
        " -fsanitize=thread --param tsan-instrument-func-entry-exit=0 --param tsan-distinguish-volatile=1"
        + std::string(is_for_debugging() ? " -O0 -g3" : " -Og -g1") + (counts_coverage() ? " --coverage" : "")
        + " -I . -I '" + home() + "' -c library.cpp -o '" + object + "' && " EMULATOR_CXX " -shared '" + object + "' '"
        + home() + "/access_hooks.o' -o '" + library + "'"
        + (counts_coverage() ? " --coverage" : " && rm '" + object + "'") + "; } > log-" + process + " 2>&1";
    const bool succeeded = std::system(command.c_str()) == 0;
    program.log = read_file(folder + "/log-" + process);
    unlink((folder + "/log-" + process).c_str());
    if (!succeeded) {
        return false;
    }
    const std::string binary = read_file(library);
    unlink(library.c_str());
    ImageHeader header = {};
    memcpy(header.mark, kImageMark, sizeof(kImageMark));
    header.bytes = binary.size();
    program.image = std::string((const char*)&header, sizeof(header)) + binary;
    return true;
}

}  // namespace

// This is not a version that NVIDIA's compiler has, so that nobody takes what was compiled for the emulator for machine
// code of a GPU, or the reverse.
EMULATOR_EXPORT int nvrtcVersion(int* major, int* minor) {
    *major = 0;
    *minor = EMULATOR_VERSION + (counts_coverage() ? 1 : 0) + (is_for_debugging() ? 2 : 0);
    return 0;
}

EMULATOR_EXPORT int nvrtcCreateProgram(
    Program** program, const char* source, const char* name, int header_count, const char* const* headers,
    const char* const* header_names) {
    *program = new Program;
    (*program)->files.emplace_back(name, source);
    for (int i = 0; i < header_count; ++i) {
        (*program)->files.emplace_back(header_names[i], headers[i]);
    }
    return 0;
}

EMULATOR_EXPORT int nvrtcCompileProgram(Program* program, int, const char* const*) {
    return compile(*program) ? 0 : kCompilationFailed;
}

EMULATOR_EXPORT int nvrtcGetProgramLogSize(Program* program, size_t* bytes) {
    *bytes = program->log.size() + 1;
    return 0;
}

EMULATOR_EXPORT int nvrtcGetProgramLog(Program* program, char* log) {
    memcpy(log, program->log.c_str(), program->log.size() + 1);
    return 0;
}

EMULATOR_EXPORT int nvrtcGetCUBINSize(Program* program, size_t* bytes) {
    *bytes = program->image.size();
    return 0;
}

EMULATOR_EXPORT int nvrtcGetCUBIN(Program* program, char* image) {
    memcpy(image, program->image.data(), program->image.size());
    return 0;
}

EMULATOR_EXPORT int nvrtcDestroyProgram(Program** program) {
    delete *program;
    *program = nullptr;
    return 0;
}
