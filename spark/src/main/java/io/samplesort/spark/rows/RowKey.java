package io.samplesort.spark.rows;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
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
/// @param name         of the column
/// @param ordinal      its place in a row
/// @param type         of its values
/// @param isDescending whether the greatest value comes first
/// @param nullsFirst   whether nulls come before all values
public record RowKey(String name, int ordinal, DataType type, boolean isDescending, boolean nullsFirst)
        implements Serializable {
    private static final long serialVersionUID = 1;

    /// Reads `name`, `name desc`, `name nulls last` or `name desc nulls first`. As in Spark, nulls come first if values
    /// ascend and last if they descend, unless the text says otherwise.
    ///
    /// @throws IllegalArgumentException if the text is something else, the rows have no such column, or its values
    ///     cannot be compared here
    public static RowKey parse(String text, StructType rows) {
        List<String> words = Arrays.asList(text.strip().split("\\s+"));
        int end = words.size();
        Boolean nullsFirst = null;
        if (end > 2 && words.get(end - 2).equalsIgnoreCase("nulls")) {
            nullsFirst = switch (words.get(end - 1).toLowerCase(Locale.ROOT)) {
                case "first" -> true;
                case "last" -> false;
                default -> throw new IllegalArgumentException("'" + text + "': use nulls first or nulls last");
            };
            end -= 2;
        }
        String direction = end > 1 ? words.get(end - 1).toLowerCase(Locale.ROOT) : "";
        boolean isDescending = direction.equals("desc");
        if (isDescending || direction.equals("asc")) {
            end--;
        }
        String name = String.join(" ", words.subList(0, end));
        if (!Arrays.asList(rows.fieldNames()).contains(name)) {
            throw new IllegalArgumentException("'" + text + "' names the column '" + name + "', and the rows have "
                    + Arrays.toString(rows.fieldNames())
                    + ": write a column's name, then asc or desc, then nulls first or nulls last");
        }
        int ordinal = rows.fieldIndex(name);
        RowKey key = new RowKey(
                name,
                ordinal,
                rows.fields()[ordinal].dataType(),
                isDescending,
                nullsFirst == null ? !isDescending : nullsFirst);
        key.check();
        return key;
    }

    /// Checks that values of this type can be compared here, so that this does not show in a task.
    ///
    /// @throws IllegalArgumentException if they cannot; the message names the column and says what to do
    public void check() {
        KeyBuffer.of(KeyField.of(this), 0);
    }

    /// Returns the same key as Spark's plans have it.
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

    /// Returns the same key as Spark writes it.
    public Column column() {
        Column column = functions.col("`" + name.replace("`", "``") + "`");
        if (isDescending) {
            return nullsFirst ? column.desc_nulls_first() : column.desc_nulls_last();
        }
        return nullsFirst ? column.asc_nulls_first() : column.asc_nulls_last();
    }
}
