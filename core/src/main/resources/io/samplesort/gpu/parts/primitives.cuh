// Arrays of elements in global memory.
#pragma once
#include "parts/basics.cuh"

// Whether a pair takes no more memory as an Element than as key and payload in arrays of their own.
constexpr bool kMovesPairs = HAS_PAYLOAD && sizeof(Element) == sizeof(OrderedKey) + sizeof(Payload);

// Elements in global memory. Keys and payloads lie in arrays of their own, as the user hands them over, so the same
// code moves keys alone and pairs. `payloads` is null if elements have none.
//
// Keys are the user's keys in the input and in the result. In between, wherever they are moved, they are OrderedKeys,
// which have the same number of bits: so floating-point numbers are mapped once and mapped back once (float_order.cuh).
//
// In between, pairs without padding may lie as whole Elements (kMovesPairs), which makes one run for each bucket and
// tile instead of two half as long. `payloads` is null there.
//
// A sort by index has no payloads, so it uses their pointer for other purposes. In the input, where `keys` points to
// the user's elements, it is the size of an element in bytes. In the result it is the address for the indexes, and the
// sort keys then go nowhere. It is null wherever `keys` points to sort keys.
//
// The host writes both fields as eight bytes each, by the same names (KernelStructs.ElementArray).
struct ElementArray {
    Key* keys;
    Payload* payloads;

    // Loads an element of the input.
    __device__ __forceinline__ Element load(u64 index) const { return element(input_key(index), index); }

    // Loads a moved element.
    __device__ __forceinline__ Element load_ordered(u64 index) const {
        return holds_pairs() ? ((Element*)keys)[index] : element(((OrderedKey*)keys)[index], index);
    }

    // Stores an element into the result.
    __device__ __forceinline__ void store(u64 index, const Element& element) const {
#if SORTS_INDEXES
        if (payloads != nullptr) {
            ((u32*)payloads)[index] = index_of(element.key);
        } else {
            keys[index] = element.key;
        }
#else
        restore_key((OrderedKey)element.key, keys[index]);
        store_payload(index, element);
#endif
    }

    __device__ __forceinline__ void store_ordered(u64 index, const Element& element) const {
        if (holds_pairs()) {
            ((Element*)keys)[index] = element;
        } else {
            ((OrderedKey*)keys)[index] = (OrderedKey)element.key;
            store_payload(index, element);
        }
    }

    // Loads only the key of an element, of the input or moved.
    __device__ __forceinline__ OrderedKey key(u64 index, bool is_ordered) const {
        if (!is_ordered) {
            return input_key(index);
        }
        return holds_pairs() ? (OrderedKey)((Element*)keys)[index].key : ((OrderedKey*)keys)[index];
    }

#if HAS_PAYLOAD
    // Loads only the payload of a moved element.
    __device__ __forceinline__ Payload payload(u64 index) const {
        return holds_pairs() ? (Payload)((Element*)keys)[index].payload : payloads[index];
    }
#endif

    // Returns the elements from `begin` on. The input of a sort by index cannot be cut like this, since its sort keys
    // contain the places of elements.
    __device__ __forceinline__ ElementArray from(u64 begin) const {
#if SORTS_INDEXES
        return ElementArray{keys + begin, payloads == nullptr ? nullptr : payloads + begin * sizeof(u32)};
#else
        if (holds_pairs()) {
            return ElementArray{(Key*)((Element*)keys + begin), nullptr};
        }
        return ElementArray{keys + begin, HAS_PAYLOAD ? payloads + begin : payloads};
#endif
    }

  private:
    __device__ __forceinline__ bool holds_pairs() const { return kMovesPairs && payloads == nullptr; }

    __device__ __forceinline__ OrderedKey input_key(u64 index) const {
#if SORTS_INDEXES
        return payloads == nullptr ? keys[index]
                                   : make_sort_key((const unsigned char*)keys + index * (u64)payloads, (u32)index);
#else
        return order_key(keys[index]);
#endif
    }

    __device__ __forceinline__ Element element(OrderedKey key, u64 index) const {
        Element element;
        element.key = key;
#if HAS_PAYLOAD
        element.payload = payloads[index];
#endif
        return element;
    }

    __device__ __forceinline__ void store_payload(u64 index, const Element& element) const {
#if HAS_PAYLOAD
        payloads[index] = (Payload)element.payload;
#endif
    }
};

__device__ __forceinline__ bool less(const Element& a, const Element& b) { return less(a.key, b.key); }
