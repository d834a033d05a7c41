package io.samplesort.bench.objects;

import java.util.SplittableRandom;

/// The object that is sorted.
///
/// @param price  a random number between 0 and 1
/// @param amount one of 1000 numbers
/// @param name   8 to 20 random characters
record Trade(double price, int amount, String name) {
    private static final String CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

    /// Draws trades, which lie in memory in the order of the array.
    static Trade[] draw(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Trade[] trades = new Trade[count];
        for (int i = 0; i < count; i++) {
            trades[i] = new Trade(random.nextDouble(), random.nextInt(1000), name(random));
        }
        return trades;
    }

    private static String name(SplittableRandom random) {
        char[] name = new char[random.nextInt(8, 21)];
        for (int i = 0; i < name.length; i++) {
            name[i] = CHARACTERS.charAt(random.nextInt(CHARACTERS.length()));
        }
        return new String(name);
    }
}
