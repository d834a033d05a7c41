// How the items of a thread are compared with splitters in shared memory. Each item needs a different splitter or none.
#pragma once
#include "parts/basics.cuh"

// Adds if the condition holds. This is one instruction; the compiler would compute both sums and choose.
__device__ __forceinline__ void add_if(bool condition, u32& sum, u32 value) {
#ifdef __CUDA_ARCH__
    asm("{\n\t"
        ".reg .pred p;\n\t"
        "setp.ne.u32 p, %1, 0;\n\t"
        "@p add.u32 %0, %0, %2;\n\t"
        "}"
        : "+r"(sum)
        : "r"((u32)condition), "r"(value));
#else
    sum += condition ? value : 0;
#endif
}

// A question about the key of an item.
struct SplitterQuestion {
    bool is_asked;
    u32 place;   // of the splitter with which the key is compared
    u32 bucket;  // one is added to it if the answer is yes
};

// Whether the splitters of several items are loaded at once, even for items that ask nothing: their lanes all read the
// same place. With a branch for each item, the items wait for shared memory one after another. For keys of 4 bytes, the
// unneeded loads take longer than that.
constexpr bool kAsksAtOnce = sizeof(OrderedKey) > 4;
constexpr int kAskedAtOnce = kAsksAtOnce ? 4 : 1;

// Asks the questions find(item) of all items of a thread, and sets their buckets. test(item, splitter) gives the
// answers. There is some splitter at the place `any`.
template <int kItems, typename Find, typename Test>
__device__ __forceinline__ void ask_splitters(
    const OrderedKey* splitters, u32 any, const Find& find, const Test& test, u32 (&buckets)[kItems]) {
#pragma unroll
    for (int first = 0; first < kItems; first += kAskedAtOnce) {
        SplitterQuestion questions[kAskedAtOnce];
        OrderedKey asked[kAskedAtOnce];
#pragma unroll
        for (int i = first; i < first + kAskedAtOnce && i < kItems; ++i) {
            const SplitterQuestion question = find(i);
            if constexpr (kAsksAtOnce) {
                asked[i - first] = splitters[question.is_asked ? question.place : any];
            }
            questions[i - first] = question;
        }
#pragma unroll
        for (int i = first; i < first + kAskedAtOnce && i < kItems; ++i) {
            const SplitterQuestion& question = questions[i - first];
            bool answer = false;
            if constexpr (kAsksAtOnce) {
                answer = question.is_asked & test(i, asked[i - first]);
            } else if (question.is_asked) {
                answer = test(i, splitters[question.place]);
            }
            buckets[i] = question.bucket;
            add_if(answer, buckets[i], 1);
        }
    }
}
