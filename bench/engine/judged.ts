/** A figure beside its mark. */
export interface Judged {
  readonly what: string;
  readonly found: string;
  readonly target: string;
  readonly met: boolean;
}

/** Nothing where there is no figure. */
export function atMost(what: string, found: number | null, bound: number, unit: string): Judged[] {
  if (found === null) return [];
  return [
    {
      what,
      found: text(found) + unit,
      target: `≤ ${text(bound)}${unit}`,
      met: rounded(found) <= rounded(bound),
    },
  ];
}

export function atLeast(what: string, found: number | null, bound: number, unit: string): Judged[] {
  if (found === null) return [];
  return [
    {
      what,
      found: text(found) + unit,
      target: `≥ ${text(bound)}${unit}`,
      met: rounded(found) >= rounded(bound),
    },
  ];
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

function text(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2);
}
