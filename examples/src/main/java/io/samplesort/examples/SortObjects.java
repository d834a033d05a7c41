package io.samplesort.examples;

import io.samplesort.ObjectSorter;
import io.samplesort.SampleSort;
import io.samplesort.types.Keys;
import java.util.ArrayList;
import java.util.List;

/// Sorts Java objects by keys that are taken out of them once.
///
/// Run it with `examples/run SortObjects`. It prints:
///
/// ```
/// [2 Ada 9.5, 1 Bob 7.0, 3 Cy 7.0, 4 null 1.0]
/// [4 null 1.0, 3 Cy 7.0, 1 Bob 7.0, 2 Ada 9.5]
/// ```
public final class SortObjects {
    record Player(int id, String name, double score) {
        @Override
        public String toString() {
            return id + " " + name + " " + score;
        }
    }

    public static void main(String[] arguments) {
        List<Player> players = new ArrayList<>(List.of(
                new Player(3, "Cy", 7), new Player(1, "Bob", 7), new Player(2, "Ada", 9.5), new Player(4, null, 1)));

        // From the highest score; of equal scores, the lower id first.
        SampleSort.sort(players, Keys.comparingDouble(Player::score).reversed().thenComparingInt(Player::id));
        System.out.println(players);

        // Who sorts often keeps a sorter, here one of the CPU alone.
        Keys<Player> byName = Keys.comparing(Player::name).nullsLast().reversed();
        try (ObjectSorter<Player> sorter = SampleSort.onCpu().buildObjects(byName)) {
            sorter.sort(players);
        }
        System.out.println(players);
    }
}
