package io.samplesort.gpu.code;

import io.samplesort.types.CustomOrder;
import io.samplesort.types.ElementType;
import io.samplesort.types.FieldOrder;
import io.samplesort.types.GpuUnavailableException;
import io.samplesort.types.NaturalOrder;
import io.samplesort.types.Order;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What the kernels move and compare: its sizes, and the CUDA text that declares it.
///
/// Elements are sorted in one of two forms. Primitive keys with at most one primitive payload, and structs of a few
/// whole words, are **moved** themselves. All else is sorted by **index**: a sort key and the element's index are made
/// for each element, these are moved, and at the end each column of the elements is gathered once. No two of them are
/// equal, since the index decides between equal elements, so this form is stable.
///
/// Of the elements that are moved, pairs of numbers of one size can also keep the order of equal keys on their way.
///
/// @param keyBytes     bytes of a key in device memory
/// @param payloadBytes bytes of a payload in device memory; 0 where there is none
/// @param elementBytes bytes of an element in shared memory and registers
/// @param sortsIndexes whether a key holds a sort key and an index
/// @param restoresElements whether a sort key holds all of its element
/// @param isOrderTrusted whether the order is known to be one
/// @param keepsOrder   whether elements are moved such that equal ones keep their order
/// @param declarations the text that defines Key, OrderedKey, Payload, Element, less and what belongs to them
public record KernelElement(
        int keyBytes,
        int payloadBytes,
        int elementBytes,
        boolean sortsIndexes,
        boolean restoresElements,
        boolean isOrderTrusted,
        boolean keepsOrder,
        String declarations) {
    /// Larger structs are sorted by index: moving them twice a pass costs more than gathering them once (measured on an
    /// H200, docs/tuning-log.md).
    private static final int MAX_MOVED_BYTES = 32;

    /// What still fits shared memory in sufficient number.
    private static final int MAX_KEY_BYTES = 256;

    /// Whether pairs are moved as whole elements where that takes no more memory (`kMovesPairs` in primitives.cuh).
    public boolean movesPairs() {
        return payloadBytes > 0 && elementBytes == keyBytes + payloadBytes;
    }

    /// Bytes of what the small sort sorts: elements, or keys with their positions, which are words.
    int smallSortItemBytes() {
        return keepsOrder ? keyBytes + Integer.BYTES : elementBytes;
    }

    public static KernelElement of(ElementType key, List<ElementType> payloads, Order order, boolean isStable) {
        order.checkApplicableTo(key);
        if (order instanceof NaturalOrder natural && arePrimitive(payloads) && payloads.size() <= 1) {
            KernelElement element =
                    PrimitiveKeys.element(key, payloads.isEmpty() ? null : payloads.getFirst(), natural, isStable);
            // Smaller keys and payloads have slots in registers that they do not have in memory.
            if (!isStable || element.movesPairs()) {
                return element;
            }
        }
        boolean isMoved = !isStable && payloads.isEmpty() && isMovable(key) && hasGreatest(order);
        KernelElement element = switch (order) {
            case CustomOrder custom -> CustomKeys.element(key, custom, isMoved);
            case FieldOrder fields -> FieldKeys.element(key, fields, isMoved);
            case NaturalOrder natural -> FieldKeys.element(key, natural);
        };
        if (element.keyBytes > MAX_KEY_BYTES) {
            throw new GpuUnavailableException("the fields that the order compares make a sort key of "
                    + element.keyBytes + " bytes with its index, and a GPU sorts keys of at most " + MAX_KEY_BYTES
                    + ": compare fewer fields or shorter strings, or use the CPU");
        }
        return element;
    }

    /// Whether it is plain what comes last in this order. Not so where one byte decides about two fields.
    private static boolean hasGreatest(Order order) {
        Set<String> fields = new HashSet<>();
        return !(order instanceof FieldOrder byFields)
                || byFields.terms().stream()
                        .allMatch(term ->
                                fields.add(term.field()) && (term.validity() == null || fields.add(term.validity())));
    }

    private static boolean arePrimitive(List<ElementType> types) {
        return types.stream().allMatch(ElementType::isPrimitive);
    }

    /// Whether elements are whole words, and few of them.
    private static boolean isMovable(ElementType type) {
        return type.byteSize() % Integer.BYTES == 0
                && type.byteAlignment() >= Integer.BYTES
                && type.byteSize() <= MAX_MOVED_BYTES;
    }
}
