import io.samplesort.SampleSort;
import java.util.Arrays;
import java.util.Random;

/// Sorts an array with the library, and checks the result.
public final class FirstSort {
    private FirstSort() {}

    public static void main(String[] arguments) {
        double[] numbers = new Random(1).doubles(1_000_000).toArray();
        double[] expected = numbers.clone();
        Arrays.sort(expected);
        SampleSort.sort(numbers);
        if (!Arrays.equals(numbers, expected)) {
            throw new AssertionError("the array is not sorted");
        }
        System.out.println("sorted " + numbers.length + " numbers");
    }
}
