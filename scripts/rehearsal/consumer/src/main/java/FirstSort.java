import io.samplesort.SampleSort;
import io.samplesort.files.LineSort;
import io.samplesort.files.types.LineOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Sorts an array and a file of lines with the library, and checks the results.
public final class FirstSort {
    private FirstSort() {}

    public static void main(String[] arguments) throws IOException {
        double[] numbers = new Random(1).doubles(1_000_000).toArray();
        double[] expected = numbers.clone();
        Arrays.sort(expected);
        SampleSort.sort(numbers);
        if (!Arrays.equals(numbers, expected)) {
            throw new AssertionError("the array is not sorted");
        }
        Path lines = Files.writeString(Files.createTempFile("first", ".txt"), "pear\nfig\n");
        LineSort.with(SampleSort.onBestDevice(), LineOrder.bytes()).sort(List.of(lines), lines);
        if (!Files.readString(lines).equals("fig\npear\n")) {
            throw new AssertionError("the lines are not sorted");
        }
        Files.delete(lines);
        System.out.println("sorted " + numbers.length + " numbers");
    }
}
