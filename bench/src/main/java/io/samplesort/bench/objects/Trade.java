package io.samplesort.bench.objects;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.SplittableRandom;

/// The object that is sorted.
///
/// @param price  a random number between 0 and 1
/// @param amount one of 1000 numbers
/// @param name   8 to 20 random characters
/// @param id     a random number
/// @param rank   one of 1000 numbers; null in each tenth trade
/// @param day    one of 10000 days
/// @param total  a number with two decimals, of a type that a sort can only compare
record Trade(double price, int amount, String name, long id, Integer rank, LocalDate day, BigDecimal total) {
    private static final int AMOUNTS = 1000;
    private static final int DAYS = 10_000;
    private static final String CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

    /// Draws trades, which lie in memory in the order of the array.
    static Trade[] draw(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Trade[] trades = new Trade[count];
        for (int i = 0; i < count; i++) {
            trades[i] = new Trade(
                    random.nextDouble(),
                    random.nextInt(AMOUNTS),
                    name(random),
                    random.nextLong(),
                    random.nextInt(10) == 0 ? null : (Integer) random.nextInt(AMOUNTS),
                    LocalDate.ofEpochDay(random.nextInt(DAYS)),
                    BigDecimal.valueOf(random.nextInt(1 << 30), 2));
        }
        return trades;
    }

    /// Returns the amount as a number whose bits differ everywhere.
    double cents() {
        return amount / 100.0;
    }

    private static String name(SplittableRandom random) {
        char[] name = new char[random.nextInt(8, 21)];
        for (int i = 0; i < name.length; i++) {
            name[i] = CHARACTERS.charAt(random.nextInt(CHARACTERS.length()));
        }
        return new String(name);
    }
}
