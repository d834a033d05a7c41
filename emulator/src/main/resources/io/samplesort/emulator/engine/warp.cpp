#include "engine/warp.h"

namespace emulator {
namespace {

// Returns the lane that a shuffle reads, whether or not it is in the mask. It is the thread's own lane if CUDA keeps
// the thread's own value.
uint32_t shuffle_source(const Thread& thread) {
    const uint32_t own = thread.index % kWarpSize;
    const uint32_t width = (uint32_t)thread.width;
    const uint32_t first = own / width * width;
    const uint32_t argument = (uint32_t)thread.lane;
    switch (thread.operation) {
        case WarpOperation::kShuffle: return first + argument % width;
        case WarpOperation::kShuffleUp: return own - first >= argument ? own - argument : own;
        case WarpOperation::kShuffleDown: return own - first + argument < width ? own + argument : own;
        default: {
            const uint32_t other = own ^ argument;
            return other < first + width ? other : own;
        }
    }
}

uint64_t combine(WarpOperation operation, uint64_t a, uint64_t b) {
    switch (operation) {
        case WarpOperation::kReduceAdd: return (uint32_t)(a + b);
        case WarpOperation::kReduceMin: return b < a ? b : a;
        case WarpOperation::kReduceMax: return a < b ? b : a;
        case WarpOperation::kReduceMinSigned: return (int32_t)b < (int32_t)a ? b : a;
        case WarpOperation::kReduceMaxSigned: return (int32_t)a < (int32_t)b ? b : a;
        case WarpOperation::kReduceAnd: return a & b;
        case WarpOperation::kReduceOr: return a | b;
        default: return a ^ b;
    }
}

}  // namespace

const char* name_of(WarpOperation operation) {
    switch (operation) {
        case WarpOperation::kSync: return "__syncwarp";
        case WarpOperation::kShuffle: return "__shfl_sync";
        case WarpOperation::kShuffleUp: return "__shfl_up_sync";
        case WarpOperation::kShuffleDown: return "__shfl_down_sync";
        case WarpOperation::kShuffleXor: return "__shfl_xor_sync";
        case WarpOperation::kAll: return "__all_sync";
        case WarpOperation::kAny: return "__any_sync";
        case WarpOperation::kBallot: return "__ballot_sync";
        case WarpOperation::kMatchAny: return "__match_any_sync";
        case WarpOperation::kMatchAll: return "__match_all_sync";
        default: return "__reduce_…_sync";
    }
}

bool gives_all_the_same(WarpOperation operation) {
    switch (operation) {
        case WarpOperation::kShuffle:
        case WarpOperation::kShuffleUp:
        case WarpOperation::kShuffleDown:
        case WarpOperation::kShuffleXor:
        case WarpOperation::kMatchAny: return false;
        default: return true;
    }
}

uint64_t warp_result(const Thread& own, const Thread* lanes, const char** problem) {
    switch (own.operation) {
        case WarpOperation::kSync: return 0;
        case WarpOperation::kShuffle:
        case WarpOperation::kShuffleUp:
        case WarpOperation::kShuffleDown:
        case WarpOperation::kShuffleXor: {
            if (own.width <= 0 || own.width > (int)kWarpSize || (own.width & (own.width - 1)) != 0) {
                *problem = " has a width that is not a power of two up to 32";
                return 0;
            }
            const uint32_t source = shuffle_source(own);
            if ((own.mask >> source & 1) == 0) {
                *problem = " reads a lane that is not in the mask";
                return 0;
            }
            return lanes[source].value;
        }
        default: break;
    }
    uint64_t ballot = 0;
    uint64_t equal = 0;
    uint64_t reduced = 0;
    bool first = true;
    for (uint32_t rest = own.mask; rest != 0; rest &= rest - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(rest);
        const uint64_t value = lanes[l].value;
        ballot |= (uint64_t)(value != 0) << l;
        equal |= (uint64_t)(value == own.value) << l;
        reduced = first ? value : combine(own.operation, reduced, value);
        first = false;
    }
    switch (own.operation) {
        case WarpOperation::kAll: return ballot == own.mask;
        case WarpOperation::kAny: return ballot != 0;
        case WarpOperation::kBallot: return ballot;
        case WarpOperation::kMatchAny: return equal;
        case WarpOperation::kMatchAll: return equal == own.mask ? own.mask : 0;
        default: return reduced;
    }
}

}  // namespace emulator
