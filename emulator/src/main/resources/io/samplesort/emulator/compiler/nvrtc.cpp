// NVRTC's functions: g++ compiles the sources of a program, as they are, to a library of kernels.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "compiler/library_source.h"
#include "engine/export.h"
#include "engine/module.h"
#include "engine/settings.h"

using namespace emulator;

namespace {

constexpr int kCompilationFailed = 6;

// The options with which a program counts how often its lines run. For the thread sanitizer, atomic counts are no
// accesses, so no hook is called for them. Only one thread runs at a time, so the counts need not really be atomic, and
// the assembler removes that again.
#if defined(__x86_64__)
constexpr char kCounting[] = " --coverage -fprofile-update=atomic -Wa,-momit-lock-prefix=yes";
#else
constexpr char kCounting[] = " --coverage -fprofile-update=atomic";
#endif

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

// Writes a file, and makes the folders that are part of its name.
bool write_file(const std::string& folder, const std::string& name, const std::string& text) {
    for (size_t slash = name.find('/'); slash != std::string::npos; slash = name.find('/', slash + 1)) {
        mkdir((folder + "/" + name.substr(0, slash)).c_str(), 0700);
    }
    std::ofstream out(folder + "/" + name, std::ios::binary);
    out << text;
    out.close();
    return out.good();
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

// The turn to write the files of a program: threads and processes that compile the same program write the same files.
class Turn {
  public:
    explicit Turn(const std::string& folder)
        : file_(open((folder + "/turn").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600)) {
        while (flock(file_, LOCK_EX) != 0 && errno == EINTR) {
        }
    }

    ~Turn() { close(file_); }

    Turn(const Turn&) = delete;

  private:
    int file_;
};

// Returns a text that differs for libraries that are compiled in different ways.
std::string variant() {
    return std::string(counts_coverage() ? "-counted" : "") + (is_for_debugging() ? "-debug" : "");
}

std::string compiler() {
    return std::string(
               EMULATOR_CXX
               " -std=c++17 -fPIC -fno-exceptions -fno-rtti -fno-strict-aliasing -ffp-contract=off"
               " -fvisibility=hidden -fno-extern-tls-init -Wno-unknown-pragmas -Wno-attributes"
               " -fsanitize=thread --param tsan-instrument-func-entry-exit=0 --param tsan-distinguish-volatile=1")
        + (is_for_debugging() ? " -O0 -g3" : " -Og -g1") + (counts_coverage() ? kCounting : "");
}

// Makes g++ read the built-ins of CUDA once for all programs, which saves a tenth of the time of each. If that fails,
// g++ reads them with each program.
void prepare_builtins() {
    const std::string header = home() + "/kernel/cuda_builtins.h";
    const std::string prepared = header + ".gch/builtins" + variant();
    mkdir((header + ".gch").c_str(), 0700);
    const Turn turn(home() + "/kernel");
    if (access(prepared.c_str(), R_OK) != 0) {
        const std::string made = home() + "/builtins" + variant();
        const std::string command =
            compiler() + " -I '" + home() + "' -x c++-header '" + header + "' -o '" + made + "' 2> '" + made + ".log'";
        if (std::system(command.c_str()) == 0) {
            rename(made.c_str(), prepared.c_str());
        }
    }
}

void make_image(const std::string& library, Program& program) {
    const std::string binary = read_file(library);
    ImageHeader header = {};
    memcpy(header.mark, kImageMark, sizeof(kImageMark));
    header.bytes = binary.size();
    program.image = std::string((const char*)&header, sizeof(header)) + binary;
}

bool compile(Program& program) {
    const std::string folder = folder_of(program);
    mkdir((home() + "/kernels").c_str(), 0700);
    mkdir(folder.c_str(), 0700);
    const Turn turn(folder);
    const std::string name = "/library" + variant();
    const std::string library = folder + name + ".so";
    if (access(library.c_str(), R_OK) == 0) {
        // Another process has compiled it meanwhile.
        make_image(library, program);
        return true;
    }
    bool written = write_file(folder, "library.cpp", library_source(program.files));
    for (const auto& [file, text] : program.files) {
        written &= write_file(folder, file, text);
    }
    if (!written) {
        program.log = "the sources cannot be written to " + folder;
        return false;
    }
    prepare_builtins();
    // The counts of lines lie next to the object, under its name.
    const std::string object = folder + (counts_coverage() ? "/library.o" : name + ".o");
    const std::string linked = library + ".new";
    // The functions of the C library that kernels call are in the process anyway. Without the C library, linking takes
    // half the time.
    const std::string command = "cd '" + folder + "' && { " + compiler() + " -I . -I '" + home()
        + "' -c library.cpp -o '" + object + "' && " EMULATOR_CXX " -shared -nostdlib '" + object + "' '" + home()
        + "/access_hooks.o' -lgcc -o '" + linked + "'" + (counts_coverage() ? " --coverage" : " && rm '" + object + "'")
        + "; } > log 2>&1";
    const bool succeeded = std::system(command.c_str()) == 0 && rename(linked.c_str(), library.c_str()) == 0;
    program.log = read_file(folder + "/log");
    if (!succeeded) {
        return false;
    }
    make_image(library, program);
    return true;
}

}  // namespace

// NVIDIA's compiler never has this version, so that code for the emulator is never mistaken for machine code of a GPU,
// or the reverse.
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
