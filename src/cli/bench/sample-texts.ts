const words = (
  'the of and a to in is you that it he was for on are as with his they at be this have from or one had by word but not what ' +
  'all were we when your can said there use an each which she do how their if will up other about out many then them these so ' +
  'some her would make like him into time has look two more write go see number no way could people my than first water been ' +
  'call who oil its now find long down day did get come made may part'
).split(' ');
const shortest = 1;
const longest = 120;
/** Coprime to the number of lengths, and large enough that consecutive lengths differ widely. */
const stride = 37;

/**
 * Returns a generator of texts of 1 to 120 English words in random order. Each length is equally frequent, and each run
 * yields the same texts.
 */
export function sampleTexts(): () => string {
  let state = 1;
  let next = 0;
  // A linear congruential generator (Numerical Recipes).
  const word = (): string => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return words[Math.floor((state / 2 ** 32) * words.length)]!;
  };
  return () => {
    const length = shortest + ((next++ * stride) % (longest - shortest + 1));
    return Array.from({ length }, word).join(' ');
  };
}
