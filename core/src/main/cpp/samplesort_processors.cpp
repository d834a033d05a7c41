// Chooses the processors on which threads wake up. Linux is called directly, since this library links no other.
#include <jni.h>
#include <stdint.h>
#include <sys/syscall.h>

namespace {

// The most processors that are distinguished.
constexpr int64_t MOST = 1024;
constexpr int64_t WORD = 64;

// The processors on which a thread may run, a bit for each.
struct Allowed {
    uint64_t words[MOST / WORD];

    bool has(int64_t processor) const { return (words[processor / WORD] >> processor % WORD & 1) != 0; }
    void add(int64_t processor) { words[processor / WORD] |= uint64_t{1} << processor % WORD; }
    void remove(int64_t processor) { words[processor / WORD] &= ~(uint64_t{1} << processor % WORD); }

    bool isEmpty() const {
        uint64_t any = 0;
        for (uint64_t word : words) {
            any |= word;
        }
        return any == 0;
    }
};

int64_t callSystem(int64_t number, int64_t first, int64_t second, void* third) {
    int64_t result;
    asm volatile("syscall" : "=a"(result) : "a"(number), "D"(first), "S"(second), "d"(third) : "rcx", "r11", "memory");
    return result;
}

// Reads on which processors a thread may run (the calling thread if it is 0); returns whether the system says so.
bool read(int64_t thread, Allowed& allowed) {
    return callSystem(SYS_sched_getaffinity, thread, sizeof(allowed), &allowed) > 0;
}

bool write(int64_t thread, Allowed& allowed) {
    return callSystem(SYS_sched_setaffinity, thread, sizeof(allowed), &allowed) == 0;
}

}  // namespace

// Returns the system's number of this thread.
extern "C" JNIEXPORT jint JNICALL Java_io_samplesort_cpu_leaf_Kernels_threadNumber(JNIEnv*, jclass) {
    return static_cast<jint>(callSystem(SYS_gettid, 0, 0, nullptr));
}

// Keeps another thread away from the processor on which this thread runs. Returns the processor; -1 if the other thread
// may run nowhere else, or the system refuses.
extern "C" JNIEXPORT jint JNICALL Java_io_samplesort_cpu_leaf_Kernels_keepAway(JNIEnv*, jclass, jint thread) {
    uint32_t here = 0;
    if (callSystem(SYS_getcpu, reinterpret_cast<int64_t>(&here), 0, nullptr) != 0 || here >= MOST) {
        return -1;
    }
    Allowed allowed{};
    if (!read(thread, allowed) || !allowed.has(here)) {
        return -1;
    }
    allowed.remove(here);
    return !allowed.isEmpty() && write(thread, allowed) ? static_cast<jint>(here) : -1;
}

// Lets this thread run on a processor from which it was kept away.
extern "C" JNIEXPORT void JNICALL Java_io_samplesort_cpu_leaf_Kernels_allow(JNIEnv*, jclass, jint processor) {
    Allowed allowed{};
    if (read(0, allowed)) {
        allowed.add(processor);
        write(0, allowed);
    }
}
