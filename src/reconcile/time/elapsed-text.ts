const UNITS: readonly (readonly [string, number])[] = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
];

/** `1.5 min`, `20 ms`: the largest unit of which there is at least one, with one decimal at most. */
export function elapsedText(ms: number): string {
  const unit = UNITS.find(([, size]) => ms >= size);
  if (unit === undefined) return `${Math.round(ms)} ms`;
  const [name, size] = unit;
  return `${Math.round((ms / size) * 10) / 10} ${name}`;
}
