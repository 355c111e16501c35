/** The largest integers of a product, and how many products of them can be added. */

/**
 * The largest weight, with 7 bits. CPUs without VNNI add two products of a uint8 and an int8 in 16 bits, and cut off
 * what doesn't fit: 2 × 255 × 63 fits, 2 × 255 × 127 doesn't. So the sums are exact, and the same on every CPU.
 */
export const maxWeight = 63;
/** The largest integer of an input with both signs. */
export const signedSteps = 127;
/** The largest integer of an input without negative numbers. */
export const unsignedSteps = 255;

/** Products are added in 32 bits. The sum of more of the largest ones, 255 × 63, would change its sign. */
export const maxSummands = Math.floor((2 ** 31 - 1) / (unsignedSteps * maxWeight));
