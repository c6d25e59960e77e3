import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { configInvalid, describeFound } from '../config/problem.ts';
import type { ResolvedTraffic } from '../config/resolved-config.ts';
import type { PromptFile } from '../contracts/plan.ts';
import { jsonOf } from '../text/json-of.ts';
import { utf8Length } from '../workload/call-plan.ts';

/** Places in a file of prompts go through 30 bits (src/workload/seeded-order.ts); memory ends long before. */
const MOST_PROMPTS = 10_000_000;

/** A file of prompts as the plan names it, and the sizes of its texts: what a forecast needs of them. */
export interface PromptSource {
  readonly file: PromptFile;
  /** UTF-8 bytes of each, in the order of the file. */
  readonly bytes: readonly number[];
}

const line = z.looseObject({ prompt: z.string().min(1) });

/**
 * Reads a file of prompts: one a line, or NDJSON objects with a prompt where the first line begins with a brace; blank
 * lines count for nothing. Throws `config_invalid` (exit 2) with the line of what cannot be read.
 */
export function readPrompts(path: string, order: PromptFile['order']): PromptSource {
  const refuse = (at: string, rule: string, found: string | null = null) =>
    configInvalid([{ at, path: '', rule, found, suggestion: null }]);
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch {
    throw configInvalid(
      [
        {
          at: path,
          path: '',
          rule: 'must be a file of prompts that can be read',
          found: null,
          suggestion: null,
        },
      ],
      `Put the prompts at ${path}, or name their file at prompts.file; its path starts from the configuration.`,
    );
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw refuse(path, 'must be UTF-8');
  }
  const areObjects = /^[ \t\r\n]*\{/.test(text);
  const bytes: number[] = [];
  text.split('\n').forEach((raw, index) => {
    const prompt = raw.replace(/\r$/, '');
    if (/^[ \t]*$/.test(prompt)) return;
    if (!areObjects) {
      bytes.push(utf8Length(prompt));
      return;
    }
    const parsed = line.safeParse(jsonOf(prompt));
    if (!parsed.success)
      throw refuse(
        `${path}:${index + 1}:1`,
        'must be a JSON object with a text "prompt"',
        describeFound(prompt),
      );
    bytes.push(utf8Length(parsed.data.prompt));
  });
  if (bytes.length === 0) throw refuse(path, 'must hold at least one prompt');
  if (bytes.length > MOST_PROMPTS)
    throw refuse(path, `must hold at most ${MOST_PROMPTS} prompts`, String(bytes.length));
  const sha256 = createHash('sha256').update(content).digest('hex');
  const max_bytes = bytes.reduce((most, size) => Math.max(most, size), 0);
  return { file: { path, sha256, count: bytes.length, max_bytes, order }, bytes };
}

/** The file of each entry that names one, by the entry's name. */
export function promptSources(traffic: readonly ResolvedTraffic[]): ReadonlyMap<string, PromptSource> {
  const sources = new Map<string, PromptSource>();
  for (const { name, text } of traffic) {
    const prompts = text?.prompts ?? null;
    if (prompts !== null) sources.set(name, readPrompts(prompts.file, prompts.order));
  }
  return sources;
}
