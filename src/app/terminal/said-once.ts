/** Says the words of what comes, but not the same twice in a row. */
export function saidOnce<T>(wordsOf: (value: T) => string, say: (line: string) => void): (value: T) => void {
  let said: string | null = null;
  return (value) => {
    const words = wordsOf(value);
    if (words !== said) say(words);
    said = words;
  };
}
