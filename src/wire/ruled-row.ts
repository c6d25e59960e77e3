import { addDecimal, type Decimal, multiplyDecimal, parseDecimal, parseNumberText } from '../core/decimal.ts';
import { asObject, type JsonObject } from './json-fields.ts';

/** Where a mapping finds a value, and what it makes of it. */
export interface MemberRule {
  readonly from?: string | readonly string[] | undefined;
  readonly sum?: readonly string[] | undefined;
  readonly value?: unknown;
  readonly times?: string | undefined;
  readonly values?: Readonly<Record<string, unknown>> | undefined;
  readonly else?: unknown;
}

type Takes = Readonly<Record<string, readonly unknown[]>> | undefined;

/** How a row tells its faults. */
interface RowWords {
  readonly corrupt: (found: string) => Error;
  /** Shows a value of the row in a message. */
  readonly shown: (json: string) => string;
}

/** Null where the row has nothing there. A column of a table may have dots in its name. */
export function memberAt(
  row: JsonObject,
  path: string,
  read: (path: string, value: unknown) => unknown = (_path, value) => value,
): unknown {
  if (Object.hasOwn(row, path)) return read(path, row[path]) ?? null;
  let held: unknown = row;
  let done = '';
  for (const step of path.split('.')) {
    const object = asObject(held);
    if (object === null || !Object.hasOwn(object, step)) return null;
    done = done === '' ? step : `${done}.${step}`;
    held = read(done, object[step]);
  }
  return held ?? null;
}

/** A row of another program, read by the rules of a mapping. */
export class RuledRow {
  readonly #at: (path: string) => unknown;
  readonly #words: RowWords;

  constructor(at: (path: string) => unknown, words: RowWords) {
    this.#at = at;
    this.#words = words;
  }

  /** The first kind that takes the row; none of them: what the row has where they look. */
  kind<Kind extends { readonly take?: Takes }>(kinds: readonly Kind[]): Kind | string {
    const taken = kinds.find(({ take }) => this.#fits(take ?? {}));
    if (taken !== undefined) return taken;
    const asked = new Set(kinds.flatMap(({ take }) => Object.keys(take ?? {})));
    return [...asked].map((path) => `${path} ${this.#shown(this.#at(path))}`).join(', ');
  }

  /** The value before any factor. */
  value(name: string, rule: MemberRule): unknown {
    const { from, sum, value, values, else: otherwise } = rule;
    if (value !== undefined) return value;
    if (sum !== undefined) return this.number(name, { sum, else: otherwise });
    const paths = [from ?? []].flat();
    const held = this.#first(paths);
    if (held !== undefined) return this.#meant(name, held, values);
    if (otherwise !== undefined) return otherwise;
    throw this.#words.corrupt(
      `${name}: expected ${paths.join(' or ')}, as the mapping says, found nothing there`,
    );
  }

  number(name: string, rule: MemberRule): Decimal {
    const number =
      rule.sum === undefined
        ? this.#number(name, this.value(name, rule))
        : rule.sum
            .map((path) => this.#number(name, this.#first([path]) ?? rule.else ?? ''))
            .reduce(addDecimal);
    const factor = rule.times === undefined ? null : parseDecimal(rule.times);
    return factor === null ? number : multiplyDecimal(number, factor);
  }

  #first(paths: readonly string[]): unknown {
    return paths.map((path) => this.#at(path)).find((held) => held !== null && held !== '');
  }

  #fits(take: NonNullable<Takes>): boolean {
    return Object.entries(take).every(([path, values]) =>
      values.some((value) => String(value) === String(this.#at(path) ?? '')),
    );
  }

  #meant(name: string, held: unknown, values: MemberRule['values']): unknown {
    if (values === undefined) return held;
    const meant = values[String(held)];
    if (meant !== undefined) return meant;
    throw this.#words.corrupt(
      `${name}: expected one of ${Object.keys(values).join(', ')}, found ${this.#shown(held)}`,
    );
  }

  #number(name: string, value: unknown): Decimal {
    const number = parseNumberText(String(value).trim());
    if (number !== null) return number;
    throw this.#words.corrupt(`${name}: expected a number, found ${this.#shown(value)}`);
  }

  #shown(value: unknown): string {
    return this.#words.shown(JSON.stringify(value) ?? 'null');
  }
}
