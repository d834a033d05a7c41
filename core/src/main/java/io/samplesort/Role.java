package io.samplesort;

/// What error messages call a sorter of some kind, what it does, and the method that builds it.
enum Role {
    SORTER("sorter", "sort", "sort of", "build"),
    SEGMENTED_SORTER("sorter", "sort", "sort of", "buildSegmented"),
    SELECTOR("selector", "select", "selection among", "buildSelector"),
    SORTED_OPERATIONS("SortedOperations", "merge", "operation on", "buildSortedOperations");

    final String noun;
    final String verb;
    final String work;
    final String build;

    Role(String noun, String verb, String work, String build) {
        this.noun = noun;
        this.verb = verb;
        this.work = work;
        this.build = build;
    }
}
