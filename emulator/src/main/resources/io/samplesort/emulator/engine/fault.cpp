#include "engine/fault.h"

#include <cstdio>
#include <map>

namespace emulator {
namespace {

std::map<int, std::string>& messages() {
    static std::map<int, std::string>& texts = *new std::map<int, std::string>;
    return texts;
}

}  // namespace

Result misuse(Result code, const std::string& message) {
    messages()[code] = message;
    return code;
}

Result lose_device(Result code, const std::string& message) {
    Result& lost = lost_with[acting_device];
    if (lost == kSuccess) {
        lost = code;
        messages()[code] =
            Devices::instance().count() == 1 ? message : "on " + name_of_device(acting_device) + ": " + message;
        std::fprintf(stderr, "emulated device: %s\n", messages()[code].c_str());
    }
    return lost;
}

const std::string& message_of(int code) { return messages()[code]; }

void reset_faults() {
    for (Result& lost : lost_with) {
        lost = kSuccess;
    }
    messages().clear();
}

}  // namespace emulator
