package io.samplesort.gpu.code;

import io.samplesort.types.Tuning;
import java.util.Locale;

/// The last header of each program, `host_agrees.cuh`: it has the compiler check that the host counts as the kernels
/// do. A struct, a size class or a sum of shared memory that is changed on one side alone therefore does not compile,
/// with NVRTC and with the emulator alike.
///
/// What all programs share is checked in one of them, the shortest: a sort needs all its programs.
final class HostAgreement {
    static final String FILE = "host_agrees.cuh";

    private final KernelElement element;
    private final Tuning tuning;
    private final SharedMemory sharedMemory;
    private final StringBuilder text =
            new StringBuilder("// Generated: what the host takes for granted about the kernels.\n#pragma once\n");

    private HostAgreement(KernelElement element, Tuning tuning) {
        this.element = element;
        this.tuning = tuning;
        sharedMemory = new SharedMemory(element, tuning);
    }

    /// Returns the text of the header.
    static String text(KernelProgram program, KernelElement element, Tuning tuning) {
        HostAgreement agreement = new HostAgreement(element, tuning);
        switch (program) {
            case SPLITTERS -> agreement.addSplitters();
            case SCATTER -> agreement.addScatter();
            case SMALL_SORT -> agreement.addSmallSort();
            case MERGE_SORT -> {
                agreement.addStructs();
                agreement.addElement();
                agreement.addMergeSort();
            }
        }
        return agreement.text.toString();
    }

    private void addStructs() {
        addStruct("ElementArray", KernelStructs.ElementArray.values());
        addStruct("Pass", KernelStructs.Pass.values());
        addStruct("Queues", KernelStructs.Queues.values());
    }

    /// The struct has these fields and no others, all of eight bytes, in this order. Each then lies where the host
    /// writes it. NVRTC has no `offsetof`, so the offsets themselves cannot be compared.
    private void addStruct(String name, Enum<?>[] fields) {
        String layout = "kLayoutOf" + name;
        text.append("constexpr " + name + " " + layout + "{};\n");
        addEqual("sizeof(" + name + ")", fields.length * Long.BYTES);
        String before = null;
        for (Enum<?> field : fields) {
            String member = field.name().toLowerCase(Locale.ROOT);
            addEqual("sizeof(" + name + "::" + member + ")", Long.BYTES);
            if (before != null) {
                add(
                        "(const void*)&" + layout + "." + before + " < (const void*)&" + layout + "." + member,
                        "the host has " + name + "::" + member + " behind " + before);
            }
            before = member;
        }
    }

    private void addElement() {
        addEqual("sizeof(Key)", element.keyBytes());
        addEqual("sizeof(OrderedKey)", element.keyBytes());
        addEqual("HAS_PAYLOAD * sizeof(Payload)", element.payloadBytes());
        addEqual("sizeof(Element)", element.elementBytes());
        addEqual("SORTS_INDEXES", element.sortsIndexes() ? 1 : 0);
        addEqual("kOrderIsTrusted", element.isOrderTrusted() ? 1 : 0);
        addEqual("kMovesPairs", element.movesPairs() ? 1 : 0);
        for (int c = 0; c < SizeClasses.COUNT; c++) {
            addEqual("size_class_threads(" + c + ")", SizeClasses.threads(tuning, c));
        }
    }

    private void addSplitters() {
        addEqual("kPrepareSharedBytes", sharedMemory.prepare());
        addEqual("SampleShared::bytes()", sharedMemory.sample());
        addEqual("kScanSharedBytes", sharedMemory.scan());
    }

    private void addScatter() {
        for (int bucketCount = 2; bucketCount <= tuning.maxBucketCount(); bucketCount *= 2) {
            addEqual("count_shared_bytes(" + bucketCount + ")", sharedMemory.count(bucketCount));
        }
        addEqual((element.keepsOrder() ? "Stable" : "") + "ScatterShared::kBytes", sharedMemory.scatter());
    }

    private void addSmallSort() {
        addEqual("sizeof(SmallSortItem)", element.smallSortItemBytes());
        for (int c = 0; c < SizeClasses.COUNT; c++) {
            boolean isLargest = c == SizeClasses.LARGEST;
            addEqual(
                    "small_sort_shared_bytes<" + isLargest + ">(" + SizeClasses.threads(tuning, c) + ")",
                    sharedMemory.smallSort(c));
        }
    }

    private void addMergeSort() {
        addEqual("sizeof(MergeProgress)", KernelStructs.MERGE_PROGRESS_BYTES);
        addEqual("kMergeSortThreads", SizeClasses.threads(tuning, SizeClasses.LARGEST));
        addEqual("kMergeSharedBytes", sharedMemory.mergeTile());
        addEqual("kCutSharedBytes", SharedMemory.findCuts());
        if (element.sortsIndexes()) {
            addEqual("kStagedKeyBytes", sharedMemory.makeSortKeys());
            addEqual("kGatherSharedBytes", SharedMemory.gather());
        }
    }

    private void addEqual(String expression, int value) {
        add(expression + " == " + value, "the host has another value of " + expression);
    }

    private void add(String condition, String message) {
        text.append("static_assert(" + condition + ", \"" + message + "\");\n");
    }
}
