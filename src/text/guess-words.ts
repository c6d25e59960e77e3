/** What is said wherever a guess of the user's stands in place of prices. */
export function guessWords(usdPerCall: string): string {
  return `your guess: $${usdPerCall} a call; real spend is not known`;
}
