#include "compiler/library_source.h"

#include <algorithm>
#include <cctype>

namespace emulator {
namespace {

// Returns the text between the parenthesis at `open` and the one that closes it.
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

bool is_space(char c) { return isspace((unsigned char)c) != 0; }

bool is_of_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

// Goes back from `end` over the characters that `skips` accepts.
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

    // Both are empty if the source has no such declaration.
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

}  // namespace

std::string library_source(const SourceFiles& files) {
    std::string kernels;
    std::string shared_type = "unsigned char";
    std::string shared_name = "emulator_dynamic_memory";
    // A program without dynamic shared memory gets some that is never used.
    std::string shared_declaration = "extern thread_local unsigned char emulator_dynamic_memory[];\n";
    for (const auto& [name, raw] : files) {
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
    return "#include \"kernel/cuda_builtins.h\"\n"
           "#include \"" + files.front().first + "\"\n"
           "#include \"kernel/kernel_library.h\"\n"
        + shared_declaration
        + "thread_local " + shared_type + " __attribute__((aligned(128))) " + shared_name
        + "[emulator::kMaxSharedBytes / sizeof(*" + shared_name + ")];\n"
        + "static const emulator::KernelEntry emulator_kernel_list[] = {\n" + kernels + "};\n"
        + "EMULATOR_LIBRARY(" + shared_name + ")\n";
}

}  // namespace emulator
