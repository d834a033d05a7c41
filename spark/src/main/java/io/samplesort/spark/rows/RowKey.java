package io.samplesort.spark.rows;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Descending$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NullsFirst$;
import org.apache.spark.sql.catalyst.expressions.NullsLast$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/// One column that rows are sorted by.
///
/// @param name         the name of the column
/// @param ordinal      its place in a row
/// @param type         the type of its values
/// @param isDescending whether the greatest value comes first
/// @param nullsFirst   whether nulls come before all values
public record RowKey(String name, int ordinal, DataType type, boolean isDescending, boolean nullsFirst)
        implements Serializable {
    private static final long serialVersionUID = 1;

    private static final Pattern TEXT = Pattern.compile(
            "(?:`(?<quoted>(?:[^`]+|``)*+)`|(?<plain>.*?))(?:\\s+(?<direction>asc|desc))?(?:\\s+nulls\\s+(?<nulls>\\S+))?",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private static final String HOW_TO_WRITE =
            "write a column's name, then asc or desc, then nulls first or nulls last";

    /// Reads `name`, `name desc`, `name nulls last` or `name desc nulls first`. A name in backticks may be any text,
    /// with two backticks for one. As in Spark, nulls come first if values ascend and last if they descend, unless the
    /// text says otherwise, and upper and lower case are the same unless the session tells them apart. A column with
    /// exactly this name is preferred to others.
    ///
    /// @param tellsCasesApart whether the session tells upper and lower case apart
    /// @throws IllegalArgumentException if the text is something else, the rows have no such column or several, or its
    ///     values cannot be compared here
    public static RowKey parse(String text, StructType rows, boolean tellsCasesApart) {
        Matcher parts = TEXT.matcher(text.strip());
        if (!parts.matches()) {
            throw new AssertionError(text);
        }
        String nulls = parts.group("nulls");
        if (nulls != null && !nulls.equalsIgnoreCase("first") && !nulls.equalsIgnoreCase("last")) {
            throw new IllegalArgumentException("'" + text + "': use nulls first or nulls last");
        }
        boolean isDescending = "desc".equalsIgnoreCase(parts.group("direction"));
        String quoted = parts.group("quoted");
        String name = quoted == null ? parts.group("plain") : quoted.replace("``", "`");
        int ordinal = ordinal(text, name, rows, tellsCasesApart);
        RowKey key = new RowKey(
                rows.fields()[ordinal].name(),
                ordinal,
                rows.fields()[ordinal].dataType(),
                isDescending,
                nulls == null ? !isDescending : nulls.equalsIgnoreCase("first"));
        key.check();
        return key;
    }

    private static int ordinal(String text, String name, StructType rows, boolean tellsCasesApart) {
        String[] names = rows.fieldNames();
        int[] found = IntStream.range(0, names.length)
                .filter(i -> names[i].equals(name))
                .toArray();
        if (found.length == 0 && !tellsCasesApart) {
            found = IntStream.range(0, names.length)
                    .filter(i -> names[i].equalsIgnoreCase(name))
                    .toArray();
        }
        if (found.length == 1) {
            return found[0];
        }
        throw new IllegalArgumentException("'" + text + "' names the column '" + name + "', and the rows have "
                + (found.length == 0
                        ? Arrays.toString(names) + ": " + HOW_TO_WRITE
                        : found.length + " columns of that name: give them different names, as with toDF"));
    }

    /// Checks that values of this type can be compared here, so that a task does not fail because of it.
    ///
    /// @throws IllegalArgumentException if they cannot; the message names the column and says what to do
    public void check() {
        KeyBuffer.of(KeyField.of(this), 0);
    }

    /// Returns the same key in the form of Spark's plans.
    SortOrder sortOrder() {
        return new SortOrder(
                reference(),
                isDescending ? Descending$.MODULE$ : Ascending$.MODULE$,
                nullsFirst ? NullsFirst$.MODULE$ : NullsLast$.MODULE$,
                RowOrder.seq(List.of()));
    }

    Expression reference() {
        return new BoundReference(ordinal, type, true);
    }

    /// Returns the same key as a column expression of Spark.
    public Column column() {
        Column column = functions.col("`" + name.replace("`", "``") + "`");
        if (isDescending) {
            return nullsFirst ? column.desc_nulls_first() : column.desc_nulls_last();
        }
        return nullsFirst ? column.asc_nulls_first() : column.asc_nulls_last();
    }
}
