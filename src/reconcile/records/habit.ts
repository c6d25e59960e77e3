/** Telling records of one stratum, and how many of them are exceptions. */
export interface HabitCount {
  readonly telling: number;
  readonly exceptions: number;
}

const LEAST_TELLING = 100;
const MOST_EXCEPTIONS_PERCENT = 2;

/** True where records of one stratum follow a reading: with fewer, a hidden mix of 10 % is taken for none too often. */
export function isHabit({ telling, exceptions }: HabitCount): boolean {
  return telling >= LEAST_TELLING && exceptions * 100 <= telling * MOST_EXCEPTIONS_PERCENT;
}
