package io.samplesort.cli.options;

import io.samplesort.types.FieldOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads orders such as `price desc, weight asc nulls last by has_weight, id`.
///
/// The terms are built one by one, because [FieldOrder#reversed] turns round all before it as well. Which fields there
/// are, and which are unsigned, is for the layout to say.
public final class OrderConverter implements ITypeConverter<FieldOrder> {
    private static final String SYNTAX = "write field [asc|desc] [nulls first|last by validityField]";

    @Override
    public FieldOrder convert(String text) {
        List<FieldOrder.Term> terms = new ArrayList<>();
        for (String term : text.split(",", -1)) {
            if (term.isBlank()) {
                throw new TypeConversionException("term " + (terms.size() + 1) + " of '" + text + "' is empty: "
                        + SYNTAX + ", or leave its comma out");
            }
            terms.add(term(Arrays.asList(term.strip().split("\\s+"))));
        }
        try {
            return new FieldOrder(terms);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage() + ": the second can decide nothing, leave it out");
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
            throw new TypeConversionException("field '" + field + "' has nulls "
                    + words.get(next + 1) + " and nothing says where it is null: end the term with by and the name of a"
                    + " field of one byte that is 0 there");
        }
        if (!hasBy || words.size() != next + 4) {
            throw mistake(field, words, next + 2);
        }
        return new FieldOrder.Term(field, false, isReversed, words.get(next + 3), nullsFirst);
    }

    private static boolean isWord(List<String> words, int index, String word) {
        return index < words.size() && words.get(index).equalsIgnoreCase(word);
    }

    private static TypeConversionException mistake(String field, List<String> words, int from) {
        return new TypeConversionException("after field '" + field + "' cannot follow '"
                + String.join(" ", words.subList(from, words.size())) + "': " + SYNTAX);
    }
}
