import { expect, it } from 'vitest';
import type { CacheFigures, CacheResult } from '../../contracts/cache-result.ts';
import { cacheWords } from '../words/cache-words.ts';
import { cacheSection } from './cache-section.ts';

const FIGURES: CacheFigures = {
  hits: 12,
  missed: { lo: 3, hi: 4 },
  lost_tokens: { lo: 3600, hi: 4800 },
  lost: { lo: '0.0054', hi: '0.0072' },
  saved: '0.0216',
  rewritten: { calls: 0, tokens: 0, amount: '0' },
  invented: { calls: 0, tokens: 0, amount: '0' },
};
const term = (value: number | null, basis: 'declared' | 'learnt' | 'assumed') => ({ value, basis });
const CACHE: CacheResult = {
  calls: 20,
  untold: 0,
  ...FIGURES,
  by_model: [
    {
      model: 'm',
      lifetime_s: term(212.5, 'learnt'),
      least_tokens: term(1024, 'declared'),
      block_tokens: term(null, 'assumed'),
      ...FIGURES,
    },
  ],
  by_hour: [{ hour: '2026-11-20T12:00:00Z', model: 'm', ...FIGURES }],
};
const NOTHING: CacheResult = { ...CACHE, hits: 0, missed: { lo: 0, hi: 0 }, lost: { lo: '0', hi: '0' } };

it('says in a line what misses cost, of what hits would have saved', () => {
  expect(cacheWords(CACHE)).toBe(
    'lost to misses $0.0054 to $0.0072 of $0.0288 that hits would have saved · 3 to 4 of 16 owed hits missed',
  );
  expect(cacheWords({ ...CACHE, missed: { lo: 4, hi: 4 }, lost: { lo: '0.0072', hi: '0.0072' } })).toBe(
    'lost to misses $0.0072 of $0.0288 that hits would have saved · 4 of 16 owed hits missed',
  );
});

it('tells each model with the terms that were learnt, and each hour', () => {
  const tables = (cacheSection(CACHE)?.blocks ?? []).flatMap((block) =>
    block.type === 'table'
      ? [block]
      : block.type === 'fold'
        ? block.blocks.filter(({ type }) => type === 'table')
        : [],
  );
  const figures = ['12', '3 to 4', '3600 to 4800', '$0.0054 to $0.0072', '$0.0216', '$0'];
  expect(tables.map((block) => (block.type === 'table' ? block.table.rows : []))).toEqual([
    [
      ['m', ...figures],
      ['all', ...figures],
    ],
    [['m', '212.5 s, learnt', '1024 tokens, declared', '–']],
    [['2026-11-20T12:00:00Z', 'm', ...figures]],
  ]);
});

it('tells invented writes and calls of which nothing is known apart', () => {
  const invented = { calls: 2, tokens: 300, amount: '0.001' };
  const texts = (cacheSection({ ...CACHE, untold: 3, invented })?.blocks ?? []).flatMap((block) =>
    block.type === 'text' ? [block.text] : [],
  );
  expect(texts.at(-2)).toContain(
    '2 calls told 300 tokens as written to the cache that their prompts cannot hold: $0.001',
  );
  expect(texts.at(-1)).toContain('Of 3 text calls nothing tells');
});

it('is left out where no hit came and none was owed', () => {
  expect([cacheSection(NOTHING), cacheSection(undefined), cacheWords(NOTHING)]).toEqual([null, null, null]);
});
