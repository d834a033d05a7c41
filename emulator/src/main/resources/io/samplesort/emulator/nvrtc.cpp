// NVRTC's functions: a program becomes a library of kernels, compiled by g++ from the sources as they are.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>

#include "driver.h"
#include "home.h"

using namespace emulator;

namespace {

constexpr int kCompilationFailed = 6;

struct Program {
    std::string name;
    std::vector<std::pair<std::string, std::string>> files;  // the program itself comes first
    std::string log;
    std::string image;
};

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

// Writes a file `name` to `folder`, and makes the folders that the name has in it.
bool write_file(const std::string& folder, const std::string& name, const std::string& text) {
    for (size_t slash = name.find('/'); slash != std::string::npos; slash = name.find('/', slash + 1)) {
        mkdir((folder + "/" + name.substr(0, slash)).c_str(), 0700);
    }
    const std::string path = folder + "/" + name;
    std::ofstream out(path, std::ios::binary);
    out << text;
    return out.good();
}

// The text between the parenthesis at `open` and its partner.
std::string in_parentheses(const std::string& text, size_t open) {
    int depth = 0;
    for (size_t i = open; i < text.size(); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth == 0) {
            return text.substr(open + 1, i - open - 1);
        }
    }
    return "";
}

std::string without_comments(const std::string& text) {
    std::string rest;
    for (size_t begin = 0; begin < text.size();) {
        const size_t comment = std::min(text.find("//", begin), text.size());
        rest.append(text, begin, comment - begin);
        begin = std::min(text.find('\n', comment), text.size());
    }
    return rest;
}

bool is_space(char c) {
    return isspace((unsigned char)c) != 0;
}

bool is_of_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

// The end of `text` without what `skips` there.
template <typename Skips>
size_t end_before(const std::string& text, size_t end, const Skips& skips) {
    while (end > 0 && skips(text[end - 1])) {
        --end;
    }
    return end;
}

// Dynamic shared memory as a source declares it: `extern __shared__ type name[]`.
struct SharedDeclaration {
    std::string type;
    std::string name;

    // Empty where there is none.
    static SharedDeclaration find(const std::string& text) {
        const std::string keyword = "__shared__";
        for (size_t at = text.find(keyword); at != std::string::npos; at = text.find(keyword, at + 1)) {
            const size_t word_end = end_before(text, at, is_space);
            const size_t word = end_before(text, word_end, is_of_name);
            size_t type = at + keyword.size();
            const size_t open = text.find_first_of("[;", type);
            if (text.compare(word, word_end - word, "extern") == 0 && open != std::string::npos && text[open] == '[') {
                while (is_space(text[type])) {
                    ++type;
                }
                const size_t name_end = end_before(text, open, is_space);
                const size_t name = end_before(text, name_end, is_of_name);
                return {text.substr(type, name - type), text.substr(name, name_end - name)};
            }
        }
        return {};
    }
};

// What the library has to list is read off the sources: kernels with their launch bounds, and the name of the dynamic
// shared memory.
std::string library_source(const Program& program) {
    std::string kernels;
    std::string shared_type = "unsigned char";
    std::string shared_name = "emulator_dynamic_memory";
    // Of a program that has none there is one nobody uses.
    std::string shared_declaration = "extern thread_local unsigned char emulator_dynamic_memory[];\n";
    for (const auto& [name, raw] : program.files) {
        const std::string text = without_comments(raw);
        const SharedDeclaration shared = SharedDeclaration::find(text);
        if (!shared.name.empty()) {
            shared_type = shared.type;
            shared_name = shared.name;
            shared_declaration.clear();
        }
        for (size_t at = text.find("__global__"); at != std::string::npos; at = text.find("__global__", at + 1)) {
            std::string bounds = "emulator::kMaxThreads";
            size_t open = text.find('(', at);
            const size_t declared = text.find("__launch_bounds__", at);
            if (declared != std::string::npos && declared < open) {
                bounds = in_parentheses(text, open);
                open = text.find('(', open + bounds.size() + 2);
            }
            const size_t end = end_before(text, open, is_space);
            const size_t begin = end_before(text, end, is_of_name);
            kernels += "    EMULATOR_KERNEL(" + text.substr(begin, end - begin) + ", " + bounds + ")\n";
        }
    }
    return "#include \"cuda_builtins.h\"\n#include \"" + program.name + "\"\n#include \"kernel_library.h\"\n"
        + shared_declaration + "thread_local " + shared_type + " __attribute__((aligned(128))) " + shared_name
        + "[emulator::kMaxSharedBytes / sizeof(*" + shared_name + ")];\n" + "static const emulator::KernelEntry emulator_kernel_list[] = {\n" + kernels
        + "};\nEMULATOR_LIBRARY(" + shared_name + ")\n";
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
    bool written = write_file(folder, "library.cpp", library_source(program));
    for (const auto& [name, text] : program.files) {
        written &= write_file(folder, name, text);
    }
    if (!written) {
        program.log = "cannot write the sources to " + folder;
        return false;
    }
    const std::string process = std::to_string(getpid());
    const std::string object = counts_coverage() ? folder + "/library.o" : folder + "/library-" + process + ".o";
    const std::string library = folder + "/library-" + process + ".so";
    const std::string command = "cd '" + folder + "' && { " EMULATOR_CXX
        " -std=c++17 -fPIC -fno-exceptions -fno-rtti -fno-strict-aliasing -ffp-contract=off"
        " -fvisibility=hidden -fno-extern-tls-init -Wno-unknown-pragmas -Wno-attributes"
        " -fsanitize=thread --param tsan-instrument-func-entry-exit=0 --param tsan-distinguish-volatile=1"
        + std::string(is_for_debugging() ? " -O0 -g3" : " -Og -g1") + (counts_coverage() ? " --coverage" : "") + " -I . -I '" + home() + "' -c library.cpp -o '" + object
        + "' && " EMULATOR_CXX " -shared '" + object + "' '" + home() + "/access_hooks.o' -o '" + library + "'"
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

// Not a version of NVIDIA's: what was compiled for the emulation must not be taken for machine code, nor the reverse.
EMULATOR_EXPORT int nvrtcVersion(int* major, int* minor) {
    *major = 0;
    *minor = EMULATOR_VERSION + (counts_coverage() ? 1 : 0) + (is_for_debugging() ? 2 : 0);
    return 0;
}

EMULATOR_EXPORT int nvrtcCreateProgram(
    Program** program, const char* source, const char* name, int header_count, const char* const* headers,
    const char* const* header_names) {
    *program = new Program;
    (*program)->name = name;
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
