import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { WeighbridgeError } from '../contracts/failure.ts';
import { parseDecimal } from '../core/decimal.ts';
import { readYaml } from './read-yaml.ts';

export const memberPath = z.string().min(1).max(200);
const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** What every rule of a mapping may say. */
export const ruleKeys = {
  from: z
    .union([memberPath, z.array(memberPath).min(1).max(8)])
    .optional()
    .describe('Member of the row; dots lead into objects. Of several the first that is there.'),
  sum: z.array(memberPath).min(2).max(8).optional().describe('Members whose numbers are added.'),
  value: scalar.optional().describe('The same for every row.'),
  times: z
    .string()
    .refine((text) => parseDecimal(text) !== null, { error: 'must be a quoted decimal such as "0.01"' })
    .optional()
    .describe('Exact factor, quoted: "0.01" where amounts are cents.'),
  values: z.record(z.string(), scalar).optional().describe('What each text stands for.'),
  else: scalar.optional().describe('Where the row lacks the member, or has null or nothing there.'),
};

/** Refuses a rule with several sources, or none. */
export function oneSource(
  { from, sum, value }: Readonly<Partial<Record<'from' | 'sum' | 'value', unknown>>>,
  context: z.RefinementCtx,
): void {
  if ([from, sum, value].filter((source) => source !== undefined).length !== 1)
    context.addIssue({ code: 'custom', message: 'takes one of from, sum and value' });
}

export const takeKey = z
  .record(z.string(), z.array(scalar).min(1))
  .optional()
  .describe('Members of a row that is read so, and the values that they may have. Default: every row.');

/** A mapping, its name or file, and the SHA-256 of its text in hex. */
export type NamedMapping<T> = T & { readonly name: string; readonly digest: string };

/** The mappings of one folder that come with the program, and those of users. */
export class RowMappings<T extends object> {
  /** Of those that come with the program. */
  readonly names: readonly string[];
  readonly #folder: string;
  readonly #schema: z.ZodType<T>;
  readonly #told: { readonly flag: string; readonly page: string };

  constructor(folder: URL, schema: z.ZodType<T>, told: { readonly flag: string; readonly page: string }) {
    this.#folder = fileURLToPath(folder);
    this.#schema = schema;
    this.#told = told;
    this.names = readdirSync(this.#folder)
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => name.slice(0, -'.yaml'.length))
      .sort();
  }

  /** Reads a mapping by its name or file. Throws `mapping_missing` or `config_invalid` with line and column (exit 2). */
  read(named: string): NamedMapping<T> {
    const file = this.names.includes(named) ? `${this.#folder}${named}.yaml` : named;
    if (!existsSync(file))
      throw new WeighbridgeError({
        code: 'mapping_missing',
        message: `${this.#told.flag} must be a file or one of ${this.names.join(', ')}, but it is ${named}.`,
        hint: `Correct the name or the path. ${this.#told.page} shows a complete mapping.`,
      });
    const text = readFileSync(file, 'utf8');
    const digest = createHash('sha256').update(text).digest('hex');
    return { ...readYaml({ text, file: named }, this.#schema), name: named, digest };
  }
}
