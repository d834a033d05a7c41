#include "engine/fault.h"

#include <cstdio>
#include <map>

namespace emulator {
namespace {

std::map<int, std::string>& messages() {
    static std::map<int, std::string> texts;
    return texts;
}

}  // namespace

Result misuse(Result code, const std::string& message) {
    messages()[code] = message;
    return code;
}

Result lose_device(Result code, const std::string& message) {
    if (lost_with == kSuccess) {
        lost_with = code;
        messages()[code] = message;
        std::fprintf(stderr, "emulated device: %s\n", message.c_str());
    }
    return lost_with;
}

const std::string& message_of(int code) {
    return messages()[code];
}

void reset_faults() {
    lost_with = kSuccess;
    messages().clear();
}

}  // namespace emulator
