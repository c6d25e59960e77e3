import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import type { Rounding } from '../../contracts/price-book.ts';
import { ROUNDING_MODES } from '../../core/rounding.ts';
import type { AdapterReading } from '../adapters/book-adapter.ts';
import { type BookRow, modelsOfRows, ROW_KEYS, ROW_PRICES, rowFaults } from '../adapters/book-rows.ts';
import { parsedBy } from '../adapters/parsed-by.ts';
import { priceText } from '../adapters/price-text.ts';
import type { UnmappedKeys } from '../adapters/unmapped-keys.ts';
import type { YamlText } from '../adapters/yaml-text.ts';

const MOST_REASONS = 10;

const roundingScope = z.enum(['record', 'component']);

const document = z.looseObject({
  pricebook: z.string().min(1),
  version: z.string().min(1),
  currency: z.literal('USD').optional(),
  rounding: z
    .looseObject({
      quantum: z.string(),
      mode: z.enum(ROUNDING_MODES),
      scope: roundingScope.optional(),
    })
    .optional(),
  input_includes_cache: z.boolean().optional(),
  models: z.array(z.looseObject({ model: z.string() })).min(1),
});

/** A price list as YAML; what is wrong is told by line and column. */
export function readYamlBook({ value, at }: YamlText, unmapped: UnmappedKeys): AdapterReading {
  const parsed = parsedBy(document, value, at);
  if ('unreadable' in parsed) return parsed;
  const { pricebook, version, rounding, input_includes_cache: includes, models } = parsed.data;
  unmapped.check('', parsed.data, Object.keys(document.shape));
  unmapped.check('rounding', rounding, ['quantum', 'mode', 'scope']);
  const faults: string[] = [];
  const rows = models.map((entry, index): BookRow => {
    unmapped.check('models[]', entry, ROW_KEYS, entry.model);
    const row: BookRow = Object.fromEntries(
      ROW_KEYS.flatMap((key) => (typeof entry[key] === 'string' ? [[key, entry[key]]] : [])),
    );
    for (const { key, rule } of rowFaults(row)) faults.push(`${at(['models', index, key])}: ${key}: ${rule}`);
    return row;
  });
  if (faults.length > 0) return { unreadable: faults.slice(0, MOST_REASONS) };
  const cache = includes === undefined ? 'unknown' : includes ? 'yes' : 'no';
  return {
    parts: {
      pricebook_id: pricebook,
      pricing_version: version,
      models: modelsOfRows(rows),
      usage_semantics: {
        input_includes_cache: cache,
        cache_write_included: cache,
        output_includes_reasoning: 'unknown',
      },
    },
    rounding:
      rounding === undefined
        ? null
        : {
            scope: rounding.scope ?? 'untold',
            quantum: priceText(rounding.quantum) ?? rounding.quantum,
            mode: rounding.mode,
            pre: [],
          },
    models_total: new Set(rows.map(({ model }) => model)).size,
    unsupported: [],
    assumptions: [],
  };
}

/** Columns that tell how a charge is rounded. A list has one rounding: every line that tells it tells the same. */
const ROUNDING_COLUMNS = ['rounding_quantum', 'rounding_mode', 'rounding_scope'] as const;
const KNOWN_COLUMNS: readonly string[] = [...ROW_KEYS, ...ROUNDING_COLUMNS];

const roundingMode = z.enum(ROUNDING_MODES);
const csvLines = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) }));

/** True for text whose first line is a header with a `model` column. */
export function looksLikeCsv(text: string): boolean {
  const [header = ''] = text.replace(/^\uFEFF/, '').split(/\r?\n/, 1);
  return (
    header.split(',').some((name) => name.trim().replaceAll('"', '') === 'model') && header.includes(',')
  );
}

/** A price list as CSV, one row a price; what is wrong is told by line and column. */
export function readCsvBook(text: string, unmapped: UnmappedKeys): AdapterReading {
  let lines: z.infer<typeof csvLines>;
  try {
    const parsed: unknown = parse(text, {
      bom: true,
      info: true,
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
    });
    lines = csvLines.parse(parsed);
  } catch (cause) {
    return { unreadable: [`not readable as CSV: ${cause instanceof Error ? cause.message : 'unknown'}`] };
  }
  const header = lines[0]?.record ?? [];
  if (!header.includes('model')) return { unreadable: ['line 1: expected a header with the column model'] };
  if (!ROW_PRICES.some((name) => header.includes(name))) {
    return { unreadable: [`line 1: expected a column of prices: ${ROW_PRICES.join(', ')}`] };
  }
  const faults: string[] = [];
  const rows = lines.slice(1).map(({ record, info }): BookRow => {
    if (record.length !== header.length) {
      faults.push(`line ${info.lines}: expected ${header.length} columns, found ${record.length}`);
      return {};
    }
    const cells = header.map((name, column) => [name, record[column] ?? ''] as const);
    const row: BookRow = Object.fromEntries(
      ROW_KEYS.flatMap((key) => {
        const held = cells.find(([name]) => name === key)?.[1] ?? '';
        return held === '' ? [] : [[key, held]];
      }),
    );
    for (const { key, rule } of rowFaults(row)) {
      faults.push(`line ${info.lines}, column ${header.indexOf(key) + 1} (${key}): ${rule}`);
    }
    for (const [name, held] of cells) {
      if (!KNOWN_COLUMNS.includes(name) && held !== '') unmapped.note(name, held, row.model ?? null);
    }
    return row;
  });
  const rounding = roundingOf(header, lines.slice(1), faults);
  if (faults.length > 0) return { unreadable: faults.slice(0, MOST_REASONS) };
  const models = modelsOfRows(rows);
  return {
    parts: { models },
    rounding,
    models_total: new Set(rows.map(({ model }) => model)).size,
    unsupported: [],
    assumptions: [],
  };
}

/** Null where no line tells one. */
function roundingOf(
  header: readonly string[],
  lines: z.infer<typeof csvLines>,
  faults: string[],
): Rounding | null {
  let told: Rounding | null = null;
  for (const { record, info } of lines) {
    const [quantum, mode, scope] = ROUNDING_COLUMNS.map((name) => record[header.indexOf(name)] ?? '');
    if (quantum === '' && mode === '' && scope === '') continue;
    const parsed = {
      quantum: priceText(quantum),
      mode: roundingMode.safeParse(mode),
      scope: roundingScope.optional().safeParse(scope === '' ? undefined : scope),
    };
    const fault = (column: (typeof ROUNDING_COLUMNS)[number], rule: string): void => {
      faults.push(`line ${info.lines}, column ${header.indexOf(column) + 1} (${column}): ${rule}`);
    };
    if (parsed.quantum === null)
      fault('rounding_quantum', `expected a decimal number, found ${JSON.stringify(quantum)}`);
    else if (!parsed.mode.success)
      fault('rounding_mode', `expected one of ${ROUNDING_MODES.join(', ')}, found ${JSON.stringify(mode)}`);
    else if (!parsed.scope.success)
      fault('rounding_scope', `expected record or component, found ${JSON.stringify(scope)}`);
    else {
      const rule = {
        scope: parsed.scope.data ?? ('untold' as const),
        quantum: parsed.quantum,
        mode: parsed.mode.data,
        pre: [],
      };
      told ??= rule;
      if (told.scope !== rule.scope || told.quantum !== rule.quantum || told.mode !== rule.mode)
        fault(
          'rounding_quantum',
          `expected ${told.mode} to ${told.quantum} as above, found another rounding`,
        );
    }
  }
  return told;
}
