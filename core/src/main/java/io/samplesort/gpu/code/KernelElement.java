package io.samplesort.gpu.code;

import io.samplesort.errors.GpuUnavailableException;
import io.samplesort.types.CustomOrder;
import io.samplesort.types.ElementType;
import io.samplesort.types.FieldOrder;
import io.samplesort.types.NaturalOrder;
import io.samplesort.types.Order;
import io.samplesort.types.Tuning;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What the kernels move and compare: the sizes of an element, and the CUDA text that declares it.
///
/// Elements are sorted in one of two ways. Primitive keys with at most one primitive payload, and structs of a few
/// whole words, are **moved** themselves. All others are sorted by **index**: a sort key and the element's index are
/// made for each element, these are moved, and at the end each column of the elements is gathered once. No two of these
/// keys are equal, since the index decides between equal elements, so a sort by index is stable.
///
/// Of the elements that are moved, pairs of two numbers of the same size can be moved so that equal keys keep their
/// order.
///
/// @param keyBytes       bytes of a key in device memory
/// @param payloadBytes   bytes of a payload in device memory; 0 if there is none
/// @param elementBytes   bytes of an element in shared memory and registers
/// @param form           how the elements are sorted
/// @param isOrderTrusted whether the order is known to be consistent
/// @param isWide         whether keys are wider than their numbers (`kNumbersAreWholeKeys`)
/// @param declarations   the text that defines Key, OrderedKey, Payload, Element, less and what belongs to them
public record KernelElement(
        int keyBytes,
        int payloadBytes,
        int elementBytes,
        Form form,
        boolean isOrderTrusted,
        boolean isWide,
        String declarations) {
    /// Larger structs are sorted by index: moving them in each pass costs more than gathering them once. On an H200,
    /// 2^25 structs of 32 bytes take as long either way, and those of 40 bytes take 4.9 ms by index and 7.8 ms moved.
    private static final int MAX_MOVED_BYTES = 32;

    /// Too few keys larger than this would fit shared memory.
    private static final int MAX_KEY_BYTES = 256;

    /// One block sorts at most this many elements alone if several blocks can sort runs of them.
    private static final int MOST_ALONE = 8192;

    /// The ways to sort elements.
    public enum Form {
        /// Elements are moved themselves.
        MOVED,
        /// Elements are moved themselves, and equal ones keep their order.
        MOVED_IN_ORDER,
        /// Sort keys with indexes are moved, and columns are gathered at the end.
        BY_INDEX,
        /// The same, and a sort key holds its whole element, which is made from it at the end.
        BY_INDEX_WITH_ELEMENT
    }

    /// Returns elements that are moved and consist of a key only.
    static KernelElement moved(int bytes, String declarations) {
        return new KernelElement(bytes, 0, bytes, Form.MOVED, true, false, declarations);
    }

    /// Returns pairs that are moved.
    ///
    /// @param slotBytes bytes of a key, and also of a payload, in shared memory and registers
    static KernelElement movedPair(int keyBytes, int payloadBytes, int slotBytes, String declarations) {
        return new KernelElement(keyBytes, payloadBytes, 2 * slotBytes, Form.MOVED, true, false, declarations);
    }

    /// Returns the sort keys of elements that are sorted by index.
    static KernelElement byIndex(int keyBytes, String declarations) {
        return new KernelElement(keyBytes, 0, keyBytes, Form.BY_INDEX, true, false, declarations);
    }

    /// Returns the same elements, moved so that equal ones keep their order.
    KernelElement keepingOrder() {
        return with(Form.MOVED_IN_ORDER);
    }

    /// Returns the same sort keys, each of which holds its whole element.
    KernelElement holdingElement() {
        return with(Form.BY_INDEX_WITH_ELEMENT);
    }

    private KernelElement with(Form other) {
        return new KernelElement(keyBytes, payloadBytes, elementBytes, other, isOrderTrusted, isWide, declarations);
    }

    /// Returns the same elements, whose keys have these parts and may be wider than a number.
    KernelElement withParts(List<SortKeyPart> parts) {
        boolean wide = !SortKeyPart.fitNumber(parts);
        return new KernelElement(keyBytes, payloadBytes, elementBytes, form, isOrderTrusted, wide, declarations);
    }

    /// Returns the same elements with an order that may contradict itself.
    KernelElement untrusted() {
        return new KernelElement(keyBytes, payloadBytes, elementBytes, form, false, isWide, declarations);
    }

    /// Returns whether a key holds a sort key and an index.
    public boolean sortsIndexes() {
        return form == Form.BY_INDEX || form == Form.BY_INDEX_WITH_ELEMENT;
    }

    /// Returns whether a sort key holds all of its element.
    public boolean restoresElements() {
        return form == Form.BY_INDEX_WITH_ELEMENT;
    }

    /// Returns whether elements are moved so that equal ones keep their order.
    public boolean keepsOrder() {
        return form == Form.MOVED_IN_ORDER;
    }

    /// Returns whether keys are mapped where they are moved (`kKeysAreMapped`).
    public boolean mapsKeys() {
        return declarations.contains("kKeysAreMapped = true");
    }

    /// Returns whether such elements can be sorted in place: those that are moved and not counted.
    public boolean hasPages() {
        return !sortsIndexes() && !isCounted();
    }

    /// Returns whether pairs are moved as whole elements, which takes no more memory then (`kMovesPairs` in
    /// primitives.cuh).
    public boolean movesPairs() {
        return payloadBytes > 0 && elementBytes == keyBytes + payloadBytes;
    }

    /// Returns whether inputs that consist of a few sorted runs are merged (merge_runs.cuh).
    public boolean mergesRuns(Tuning tuning) {
        return tuning.mergedRuns() > 1 && isOrderTrusted;
    }

    /// Returns whether sorted parts on several GPUs are merged (merge_parts.cuh).
    public boolean mergesParts(Tuning tuning) {
        return mergesRuns(tuning) && !sortsIndexes() && !isCounted();
    }

    /// Returns whether small inputs are sorted in runs, whose elements are then placed by their ranks (rank_runs.cuh).
    public boolean ranksRuns(Tuning tuning) {
        return tuning.rankedSize() > tuning.smallSortLimit() && isOrderTrusted && !sortsIndexes();
    }

    /// Returns the fewest elements that are placed by ranks. For more than 8192 elements, or 4096 of 16 bytes, one
    /// block takes longer than two launches with many blocks.
    public int fewestRanked(Tuning tuning) {
        int alone = Math.min(tuning.smallSortLimit(), MOST_ALONE);
        return 1 + (keyBytes + payloadBytes > Long.BYTES ? alone / 2 : alone);
    }

    /// Returns whether elements are keys with few possible values. These need not be moved: it is enough to count how
    /// often each value occurs (count_values.cuh).
    public boolean isCounted() {
        return form == Form.MOVED && payloadBytes == 0 && keyBytes <= Short.BYTES;
    }

    /// Returns whether elements have payloads, and keys with few possible values. It is enough to count how often each
    /// value occurs and to move the payloads where they belong (byte_scatter.cuh).
    public boolean movesByValue() {
        return form == Form.MOVED && payloadBytes > 0 && keyBytes <= Short.BYTES;
    }

    /// Returns whether keys have so few possible values that these can be counted.
    public boolean hasFewValues() {
        return isCounted() || movesByValue();
    }

    /// Returns how many possible values the counted keys have.
    public int valueCount() {
        return 1 << Byte.SIZE * keyBytes;
    }

    /// Returns the threads of a block that scans their counts.
    public int valueScanThreads() {
        return Math.min(KernelConstants.VALUE_SCAN_THREADS, valueCount());
    }

    /// Returns the bytes of what the small sort sorts: elements, or keys with their positions, which are words.
    int smallSortItemBytes() {
        return keepsOrder() ? keyBytes + Integer.BYTES : elementBytes;
    }

    /// Returns the most elements of a segment that one lane of a warp sorts in its registers (`kLaneItems`).
    public int laneItems() {
        int bytes = smallSortItemBytes();
        return bytes <= 8 ? 32 : bytes <= 16 ? 16 : bytes <= 32 ? 8 : 2;
    }

    /// Returns the most elements that each lane has when a warp sorts a segment (`kShortItems`).
    public int shortItems() {
        int bytes = smallSortItemBytes();
        return bytes <= 4 ? 32 : bytes <= 8 ? 16 : bytes <= 16 ? 8 : bytes <= 32 ? 4 : 2;
    }

    /// Returns the length of the longest segment that a warp sorts by itself.
    public int shortSegment() {
        return shortItems() * KernelConstants.WARP_SIZE;
    }

    /// Chooses how the kernels sort elements of this type in this order.
    public static KernelElement of(ElementType key, List<ElementType> payloads, Order order, boolean isStable) {
        order.checkApplicableTo(key);
        if (order instanceof NaturalOrder natural && arePrimitive(payloads) && payloads.size() <= 1) {
            KernelElement element =
                    PrimitiveKeys.element(key, payloads.isEmpty() ? null : payloads.getFirst(), natural, isStable);
            // Smaller keys and payloads take more bytes in registers than in memory, so they cannot be moved whole.
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

    /// Returns a type or an order as it stands in a comment of the CUDA text. Users choose the names of fields, and
    /// none of these may end the comment's line.
    static String inComment(Object described) {
        StringBuilder text = new StringBuilder(described.toString());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~') {
                text.setCharAt(i, ' ');
            }
        }
        return text.toString();
    }

    /// Returns whether this order has a known greatest element. It has one unless one byte decides about two fields.
    private static boolean hasGreatest(Order order) {
        if (!(order instanceof FieldOrder byFields)) {
            return true;
        }
        Set<String> fields = new HashSet<>();
        for (FieldOrder.Term term : byFields.terms()) {
            if (!fields.add(term.field()) || term.validity() != null && !fields.add(term.validity())) {
                return false;
            }
        }
        return true;
    }

    private static boolean arePrimitive(List<ElementType> types) {
        for (ElementType type : types) {
            if (!type.isPrimitive()) {
                return false;
            }
        }
        return true;
    }

    /// Returns whether elements consist of a few whole words.
    private static boolean isMovable(ElementType type) {
        return type.byteSize() % Integer.BYTES == 0
                && type.byteAlignment() >= Integer.BYTES
                && type.byteSize() <= MAX_MOVED_BYTES;
    }
}
