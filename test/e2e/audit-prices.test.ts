import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { gradeOf } from '../support/fault-corpus.ts';
import { readNdjson, runWeighbridge, scratchDir, verdictOf } from '../support/run-weighbridge.ts';

const journalLine = z.discriminatedUnion('type', [
  z.object({ type: z.literal('call'), request_id: z.string(), received_at: z.iso.datetime() }),
  z.object({
    type: z.literal('fault'),
    fault: z.string(),
    request_id: z.string(),
    parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    delta: z.string(),
  }),
]);
const findingLine = z.object({
  id: z.string(),
  class: z.string(),
  request_id: z.string().nullable(),
  delta_exact: z.string().nullable(),
  rule: z.string(),
  group: z.string().nullable(),
  rows: z.number(),
});

/** Calls of the seconds around a change of the price book: whether they came before or after it cannot be told. */
function requestsAtChange(
  lines: readonly z.infer<typeof journalLine>[],
  books: string,
): ReadonlySet<string | null> {
  const changes = readdirSync(books)
    .filter((name) => name.endsWith('.json'))
    .map((name) => effective.parse(JSON.parse(readFileSync(join(books, name), 'utf8'))).effective_at);
  return new Set(
    lines.flatMap((line) => {
      if (line.type !== 'call') return [];
      const second = Date.parse(line.received_at) / 1000;
      return changes.some((change) => Math.abs(second - change) < 2) ? [line.request_id] : [];
    }),
  );
}

const effective = z.looseObject({ effective_at: z.number() });

/** Audits a gateway with faults; gives what was planted and what was found, one text a call, and the groups. */
async function audited(faults: readonly string[], readings: readonly string[] = []) {
  const out = scratchDir();
  const journal = join(out, 'journal.ndjson');
  const plan = join(out, 'faults.yaml');
  const read = join(out, 'readings.yaml');
  writeFileSync(plan, ['faults:', ...faults.map((fault) => `  - ${fault}`), ''].join('\n'));
  writeFileSync(read, [...readings, ''].join('\n'));
  const finished = await runWeighbridge([
    'audit',
    ...['--duration', '12s', '--seed', '3', '--out', out, '--json'],
    ...['--faults', plan, '--journal', journal],
    ...(readings.length === 0 ? [] : ['--readings', read]),
  ]);
  const verdict = verdictOf(finished);
  const lines = readNdjson(journal, journalLine);
  const atChange = requestsAtChange(lines, join(verdict.dir, 'books'));
  const away = ({ request_id }: { readonly request_id: string | null }): boolean => !atChange.has(request_id);
  const planted = lines.filter((line) => line.type === 'fault').filter(away);
  const findings = readNdjson(join(verdict.dir, 'findings.ndjson'), findingLine).filter(away);
  const groups = findings.filter(({ rows }) => rows > 1);
  return {
    exits: verdict.exit_codes,
    planted: planted.map((line) => `${gradeOf(line).class} ${line.request_id} ${line.delta}`).sort(),
    classes: new Set(planted.map((line) => gradeOf(line).class)),
    found: findings
      .filter(({ rows }) => rows === 1)
      .map((finding) => `${finding.class} ${finding.request_id} ${finding.delta_exact}`)
      .sort(),
    groups,
    beneath: groups.map(({ id, rows }) => ({
      rows,
      held: findings.filter(({ group }) => group === id).length,
    })),
  };
}

describe('wrong prices planted at a part of the calls', () => {
  test('are named call by call as the journal has them, and told once for all of a kind', async () => {
    const result = await audited([
      '{fault: bill.multiplier_hidden, select: {kind: chat}, when: {every: 3}}',
      '{fault: bill.unit_error, select: {kind: messages}, when: {every: 3}}',
      '{fault: bill.wrong_rate, select: {kind: responses}, when: {every: 3}, parameters: {variant: output_at_input}}',
      '{fault: bill.wrong_rate, select: {kind: image}, when: {every: 2}, parameters: {variant: image_dearest}}',
      '{fault: bill.video_units, select: {kind: video}, when: {every: 2}, parameters: {variant: longest}}',
    ]);
    expect(result.exits).toContain(5);
    expect(result.classes.size).toBeGreaterThanOrEqual(4);
    expect(result.found).toEqual(result.planted);
    expect(result.groups.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['group:factor:1.1', 'group:unit:100', 'group:output_at_input']),
    );
    for (const { rows, held } of result.beneath) expect(held).toBe(rows);
  });

  test('so are prices of another version, and versions wrongly named', async () => {
    const result = await audited(
      [
        '{fault: bill.wrong_version, select: {kind: chat}, when: {every: 2}}',
        '{fault: bill.wrong_version, select: {kind: messages}, when: {every: 2}, parameters: {variant: old_prices}}',
        '{fault: bill.wrong_version, select: {kind: responses}, when: {every: 2}, parameters: {variant: new_prices_old_id}}',
      ],
      ['book_changes:', '  - {after_ms: 5000, factor: "1.25"}'],
    );
    expect(result.exits).toContain(5);
    expect(result.planted.length).toBeGreaterThan(0);
    expect(result.found).toEqual(result.planted);
  });
});
