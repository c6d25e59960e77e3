import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { nearestName } from '../config/nearest-name.ts';
import { configInvalid, describeFound } from '../config/problem.ts';
import type { ResolvedConfig, ResolvedTraffic } from '../config/resolved-config.ts';
import type {
  PriceBound,
  PromptFile,
  RunLimits,
  ScenarioPlan,
  SpendCap,
  WatermarkShape,
} from '../contracts/plan.ts';
import type { ModelPrice, PriceBook } from '../contracts/price-book.ts';
import { priceBounds } from '../pricebook/charge/price-bounds.ts';
import { jsonOf } from '../text/json-of.ts';
import { utf8Length } from '../workload/call-plan.ts';
import { modelFamily } from './choose-models.ts';

/** The parts of the spend cap that scenarios, and the models that they call, may take. */
export function partialCaps(
  { models }: ResolvedConfig,
  traffic: readonly ResolvedTraffic[],
  scenarios: readonly ScenarioPlan[],
): Pick<SpendCap, 'by_scenario' | 'by_model'> {
  const given = (entries: (readonly [string, string | null])[]): Record<string, string> =>
    Object.fromEntries(entries.flatMap(([key, usd]) => (usd === null ? [] : [[key, usd]])));
  const capOf = (scenario: string): string | null =>
    traffic.find(({ name }) => name === scenario)?.max_usd ?? null;
  return {
    by_scenario: given(scenarios.map(({ name }) => [name, capOf(name)])),
    by_model: given(scenarios.map(({ model }) => [model, models.get(model)?.max_usd ?? null])),
  };
}

/** When the run stops by itself, and how much is under way at once; of the models, those that are called. */
export function limitsOf({ limits, models }: ResolvedConfig, scenarios: readonly ScenarioPlan[]): RunLimits {
  const byModel = scenarios.flatMap(({ model }): [string, number][] => {
    const most = models.get(model)?.max_in_flight ?? null;
    return most === null ? [] : [[model, most]];
  });
  return { ...limits, max_in_flight_by_model: Object.fromEntries(byModel) };
}

/** The most that one call of a scenario can cost by the book; null where its model is not priced for it. */
export function priceBoundOf(
  book: PriceBook,
  scenario: ScenarioPlan,
  maxOutput: number | null,
): PriceBound | null {
  const { model, kind, image, video } = scenario;
  const size = image?.size;
  return priceBounds(book, model, kind, {
    ...(image === null ? {} : { images: 1 }),
    ...(size === undefined ? {} : { size }),
    ...(image === null ? {} : { quality: image.quality }),
    ...(video === null ? {} : { seconds: video.seconds, resolution: video.size }),
    ...(kind === 'embedding' ? { max_output_tokens: 0 } : {}),
    ...(maxOutput === null ? {} : { max_output_tokens: maxOutput }),
  });
}

/** One bound for each model and kind: the dearest of those that share both. */
export function mergeBounds(bounds: readonly PriceBound[]): PriceBound[] {
  const merged = new Map<string, PriceBound>();
  for (const bound of bounds) {
    const key = JSON.stringify([bound.model, bound.kind]);
    const held = merged.get(key);
    merged.set(key, held === undefined ? bound : dearest(held, bound));
  }
  return [...merged.values()];
}

function dearest(left: PriceBound, right: PriceBound): PriceBound {
  const higher = (one: string, other: string): string => (BigInt(one) >= BigInt(other) ? one : other);
  return {
    ...left,
    per_input_token: higher(left.per_input_token, right.per_input_token),
    per_output_token: higher(left.per_output_token, right.per_output_token),
    fixed: higher(left.fixed, right.fixed),
    max_output_tokens: Math.max(left.max_output_tokens, right.max_output_tokens),
  };
}

const MOST_TIERS = 8;

type Called = Pick<ScenarioPlan, 'model' | 'kind' | 'image' | 'video'>;

/** Why the calls of a scenario will fail: the target's list does not hold its model. Null where it does, or is not known. */
export function unlistedModel({ model }: Called, listedModels: readonly string[] | null): string | null {
  if (listedModels === null || listedModels.includes(model)) return null;
  const near = nearestName(model, listedModels);
  const hint = near === null ? 'GET /v1/models has the ids' : `did you mean ${JSON.stringify(near)}?`;
  return `the target does not list the model ${JSON.stringify(model)}; ${hint}`;
}

/** Why the book gives a scenario no price: no book, no entry, an entry of another kind, or tiers that do not fit. */
export function whyUnpriced(called: Called, book: PriceBook | null): string {
  if (book === null) return 'there is no readable price book';
  const id = JSON.stringify(called.model);
  const entry = book.models.find(({ model }) => model === called.model);
  if (entry === undefined) return `the price book has no entry for the model ${id}`;
  const wanted = modelFamily(called.kind);
  if (entry.kind !== wanted) {
    return `${id} is ${withArticle(entry.kind)} model in the price book, and ${called.kind} calls ${withArticle(wanted)} model`;
  }
  const tiers = tiersOf(entry);
  const unit = entry.kind === 'video' ? 'second' : 'image';
  if (tiers.length === 0) return `the price book has no price per ${unit} for ${id}`;
  const shown = tiers.slice(0, MOST_TIERS).join(', ');
  const rest = tiers.length > MOST_TIERS ? ` and ${tiers.length - MOST_TIERS} more` : '';
  return `the price book has no price of ${id} for ${askedOf(called)}; priced: ${shown}${rest}`;
}

function askedOf({ image, video }: Called): string {
  if (image !== null) return `size ${image.size}, quality ${image.quality}`;
  return video === null ? 'this call' : `${video.seconds} seconds of size ${video.size}`;
}

/** The options that are priced, such as `1024x1024 medium` or `720p`. */
function tiersOf({ kind, components }: ModelPrice): string[] {
  const meter = kind === 'video' ? 'video_second' : 'image';
  const names = components
    .filter((component) => component.meter === meter)
    .map(({ size, quality, resolution }) =>
      [size, quality, resolution].filter((part) => part !== undefined).join(' '),
    );
  return [...new Set(names)].filter((name) => name !== '');
}

function withArticle(family: 'text' | 'image' | 'video'): string {
  return `${family === 'image' ? 'an' : 'a'} ${family}`;
}

/**
 * Scenarios of one model share its counter, so that calls near in time differ whichever of them they belong to. The
 * largest modulus that one of them asks for holds for all.
 */
export function shareWatermarks(scenarios: readonly ScenarioPlan[]): ScenarioPlan[] {
  const sharing = new Map<string, ScenarioPlan[]>();
  for (const scenario of scenarios) {
    if ((scenario.text?.watermark ?? null) === null) continue;
    sharing.set(scenario.model, [...(sharing.get(scenario.model) ?? []), scenario]);
  }
  return scenarios.map((scenario) => {
    const group = sharing.get(scenario.model) ?? [];
    const first = group.indexOf(scenario);
    if (scenario.text === null || first < 0) return scenario;
    const modulus = Math.max(...group.map(({ text }) => text?.watermark?.modulus ?? 0));
    const watermark: WatermarkShape = { modulus, of: group.length, first };
    return { ...scenario, text: { ...scenario.text, watermark } };
  });
}

/** Places in a file of prompts go through 30 bits (src/workload/seeded-order.ts); memory ends long before. */
const MOST_PROMPTS = 10_000_000;

/** A file of prompts as the plan names it, and the sizes of its texts: what a forecast needs of them. */
interface PromptSource {
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
