// Other people's sorts on the CPU behind one function, for `bench cpu`. Which of them are available depends on what
// bench/build-cpu-baselines has found; the sorts of the C++ library always are.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <omp.h>
#include <parallel/algorithm>

#ifdef HAVE_X86_SIMD_SORT
#include "x86simdsort-static-incl.h"
#endif
#ifdef HAVE_IPS4O
#include "ips4o.hpp"
#endif
#ifdef HAVE_IPS2RA
#include "ips2ra.hpp"
#endif
#ifdef HAVE_VQSORT
#include "hwy/contrib/sort/vqsort.h"
#endif
#ifdef HAVE_TBB
#include <tbb/global_control.h>
#include <tbb/parallel_sort.h>
#endif

namespace {

// An element of 16 bytes that is sorted by its key.
struct Record16 {
    double key;
    int64_t value;
};

bool operator<(const Record16& a, const Record16& b) { return a.key < b.key; }

// An element of 32 bytes that is sorted by its key.
struct Record32 {
    int64_t key;
    int64_t values[3];
};

bool operator<(const Record32& a, const Record32& b) { return a.key < b.key; }

// An element of 100 bytes that is sorted by the first ten of them.
struct Record100 {
    unsigned char key[10];
    unsigned char rest[90];
};

bool operator<(const Record100& a, const Record100& b) {
    uint64_t x, y;
    std::memcpy(&x, a.key, sizeof x);
    std::memcpy(&y, b.key, sizeof y);
    if (x != y) {
        return __builtin_bswap64(x) < __builtin_bswap64(y);
    }
    return std::memcmp(a.key + 8, b.key + 8, 2) < 0;
}

// The types that `cpu_baseline_sort` can be asked to sort, with the numbers of the Java side.
enum Type { I32, I64, F64, PAIR, RECORD16, RECORD32, RECORD100, INT_PAIR, INT_LONG_PAIR, FLOAT_PAIR };

// Sorts `keys`; returns whether this sort supports such elements and this many threads.
using Sort = bool (*)(Type type, void* keys, void* payload, size_t count, int threads);

// Calls `sort` with a pointer to elements of the right type, unless they are pairs of two columns.
template <class F>
bool withElements(Type type, void* keys, F sort) {
    switch (type) {
        case I32: sort(static_cast<int32_t*>(keys)); return true;
        case I64: sort(static_cast<int64_t*>(keys)); return true;
        case F64: sort(static_cast<double*>(keys)); return true;
        case RECORD16: sort(static_cast<Record16*>(keys)); return true;
        case RECORD32: sort(static_cast<Record32*>(keys)); return true;
        case RECORD100: sort(static_cast<Record100*>(keys)); return true;
        default: return false;
    }
}

bool stdSort(Type type, void* keys, void*, size_t count, int threads) {
    return threads == 1 && withElements(type, keys, [=](auto* a) { std::sort(a, a + count); });
}

bool stdStableSort(Type type, void* keys, void*, size_t count, int threads) {
    return threads == 1 && withElements(type, keys, [=](auto* a) { std::stable_sort(a, a + count); });
}

bool gnuParallelSort(Type type, void* keys, void*, size_t count, int threads) {
    return threads > 1 && withElements(type, keys, [=](auto* a) { __gnu_parallel::sort(a, a + count); });
}

bool gnuParallelStableSort(Type type, void* keys, void*, size_t count, int threads) {
    return threads > 1 && withElements(type, keys, [=](auto* a) { __gnu_parallel::stable_sort(a, a + count); });
}

#ifdef HAVE_X86_SIMD_SORT
bool x86SimdSort(Type type, void* keys, void* payload, size_t count, int) {
    switch (type) {
        case I32: x86simdsortStatic::qsort(static_cast<int32_t*>(keys), count); return true;
        case I64: x86simdsortStatic::qsort(static_cast<int64_t*>(keys), count); return true;
        case F64: x86simdsortStatic::qsort(static_cast<double*>(keys), count); return true;
        case PAIR:
            x86simdsortStatic::keyvalue_qsort(static_cast<int64_t*>(keys), static_cast<int32_t*>(payload), count);
            return true;
        case INT_PAIR:
            x86simdsortStatic::keyvalue_qsort(static_cast<int32_t*>(keys), static_cast<int32_t*>(payload), count);
            return true;
        case INT_LONG_PAIR:
            x86simdsortStatic::keyvalue_qsort(static_cast<int32_t*>(keys), static_cast<int64_t*>(payload), count);
            return true;
        case FLOAT_PAIR:
            x86simdsortStatic::keyvalue_qsort(static_cast<float*>(keys), static_cast<int32_t*>(payload), count);
            return true;
        default: return false;
    }
}

// Sorts indexes by a copy of the keys, gathers the records in that order, and copies them back, as one does with NumPy.
template <class R>
void sortByIndex(R* records, size_t count) {
    std::vector<decltype(records->key)> keys(count);
    for (size_t i = 0; i < count; i++) {
        keys[i] = records[i].key;
    }
    std::vector<size_t> indexes = x86simdsortStatic::argsort(keys.data(), count);
    std::vector<R> sorted(count);
    for (size_t i = 0; i < count; i++) {
        sorted[i] = records[indexes[i]];
    }
    std::copy(sorted.begin(), sorted.end(), records);
}

bool x86SimdArgsort(Type type, void* keys, void*, size_t count, int) {
    switch (type) {
        case RECORD16: sortByIndex(static_cast<Record16*>(keys), count); return true;
        case RECORD32: sortByIndex(static_cast<Record32*>(keys), count); return true;
        default: return false;
    }
}
#endif

#ifdef HAVE_IPS4O
bool ips4oSort(Type type, void* keys, void*, size_t count, int threads) {
    return withElements(type, keys, [=](auto* a) {
        if (threads == 1) {
            ips4o::sort(a, a + count);
        } else {
            ips4o::parallel::sort(a, a + count, std::less<>(), threads);
        }
    });
}
#endif

#ifdef HAVE_IPS2RA
bool ips2raSort(Type type, void* keys, void*, size_t count, int threads) {
    auto sort = [=](auto* a, auto key) {
        if (threads == 1) {
            ips2ra::sort(a, a + count, key);
        } else {
            ips2ra::parallel::sort(a, a + count, key, threads);
        }
    };
    // This sort uses unsigned keys.
    switch (type) {
        case I32:
            sort(static_cast<int32_t*>(keys), [](int32_t v) { return static_cast<uint32_t>(v) ^ 0x80000000u; });
            return true;
        case I64:
            sort(static_cast<int64_t*>(keys), [](int64_t v) { return static_cast<uint64_t>(v) ^ (1ull << 63); });
            return true;
        case F64:
            sort(static_cast<uint64_t*>(keys), [](uint64_t v) { return v >> 63 ? ~v : v | 1ull << 63; });
            return true;
        default: return false;
    }
}
#endif

#ifdef HAVE_VQSORT
bool vqsort(Type type, void* keys, void*, size_t count, int threads) {
    if (threads != 1) {
        return false;
    }
    static hwy::Sorter sorter;
    switch (type) {
        case I32: sorter(static_cast<int32_t*>(keys), count, hwy::SortAscending()); return true;
        case I64: sorter(static_cast<int64_t*>(keys), count, hwy::SortAscending()); return true;
        case F64: sorter(static_cast<double*>(keys), count, hwy::SortAscending()); return true;
        default: return false;
    }
}
#endif

#ifdef HAVE_TBB
bool tbbSort(Type type, void* keys, void*, size_t count, int threads) {
    if (threads == 1) {
        return false;
    }
    tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    return withElements(type, keys, [=](auto* a) { tbb::parallel_sort(a, a + count); });
}
#endif

struct Baseline {
    const char* name;
    Sort sort;
};

const Baseline BASELINES[] = {
    {"std-sort", stdSort},
    {"std-stable-sort", stdStableSort},
    {"gnu-parallel-sort", gnuParallelSort},
    {"gnu-parallel-stable-sort", gnuParallelStableSort},
#ifdef HAVE_X86_SIMD_SORT
    {"x86-simd-sort", x86SimdSort},
    {"x86-simd-argsort", x86SimdArgsort},
#endif
#ifdef HAVE_IPS4O
    {"ips4o", ips4oSort},
#endif
#ifdef HAVE_IPS2RA
    {"ips2ra", ips2raSort},
#endif
#ifdef HAVE_VQSORT
    {"vqsort", vqsort},
#endif
#ifdef HAVE_TBB
    {"tbb-parallel-sort", tbbSort},
#endif
};

}  // namespace

extern "C" {

int cpu_baseline_count() { return sizeof BASELINES / sizeof BASELINES[0]; }

const char* cpu_baseline_name(int baseline) { return BASELINES[baseline].name; }

// Returns 0, or 1, with nothing done, if this sort does not support such elements or this many threads.
int cpu_baseline_sort(int baseline, int type, void* keys, void* payload, int64_t count, int threads) {
    omp_set_num_threads(threads);
    return BASELINES[baseline].sort(static_cast<Type>(type), keys, payload, count, threads) ? 0 : 1;
}
}
