package io.samplesort.cli.values;

import io.samplesort.types.FieldOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Reads orders such as `price desc, weight asc nulls last by has_weight, id`.
///
/// The terms are built one by one, because [FieldOrder#reversed] also reverses all terms before it. The layout says
/// which fields exist, and which are unsigned.
public final class OrderConverter extends TextConverter<FieldOrder> {
    private static final String SYNTAX = "write field [asc|desc] [nulls first|last by validityField]";

    public OrderConverter() {
        super(OrderConverter::parse);
    }

    private static FieldOrder parse(String text) {
        List<FieldOrder.Term> terms = new ArrayList<>();
        for (String term : text.split(",", -1)) {
            if (term.isBlank()) {
                throw new IllegalArgumentException("term " + (terms.size() + 1) + " of '" + text + "' is empty: "
                        + SYNTAX + ", or remove the comma");
            }
            terms.add(term(Arrays.asList(term.strip().split("\\s+"))));
        }
        try {
            return new FieldOrder(terms);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    e.getMessage() + ": leave the second out, because it never decides anything", e);
        }
    }

    private static FieldOrder.Term term(List<String> words) {
        String field = words.getFirst();
        int next = 1;
        boolean isReversed = isWord(words, next, "desc");
        if (isReversed || isWord(words, next, "asc")) {
            next++;
        }
        if (next == words.size()) {
            return new FieldOrder.Term(field, false, isReversed, null, false);
        }
        boolean nullsFirst = isWord(words, next + 1, "first");
        if (!isWord(words, next, "nulls") || !(nullsFirst || isWord(words, next + 1, "last"))) {
            throw mistake(field, words, next);
        }
        boolean hasBy = isWord(words, next + 2, "by");
        if (words.size() == (hasBy ? next + 3 : next + 2)) {
            throw new IllegalArgumentException("field '" + field + "' has nulls "
                    + words.get(next + 1) + " but no field that says where it is null: end the term with by and the"
                    + " name of a field of one byte that is 0 there");
        }
        if (!hasBy || words.size() != next + 4) {
            throw mistake(field, words, next + 2);
        }
        return new FieldOrder.Term(field, false, isReversed, words.get(next + 3), nullsFirst);
    }

    private static boolean isWord(List<String> words, int index, String word) {
        return index < words.size() && words.get(index).equalsIgnoreCase(word);
    }

    private static IllegalArgumentException mistake(String field, List<String> words, int from) {
        return new IllegalArgumentException("'" + String.join(" ", words.subList(from, words.size()))
                + "' cannot follow field '" + field + "': " + SYNTAX);
    }
}
