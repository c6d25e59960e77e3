import { expect, test } from 'vitest';
import type { ProbeTarget } from '../../contracts/probe-plan.ts';
import { plainModel } from '../../pricebook/adapters/plain-model.ts';
import { bookOf } from '../../pricebook/price-book.test-support.ts';
import { readPriceBook } from '../../pricebook/read/read-price-book.ts';
import { reordered } from '../../pricebook/reordered.test-support.ts';
import { BookWatch, type BookWatchOptions } from './book-watch.ts';
import { freshMetrics, probeOf, samples, targetOf } from './watch-bench.test-support.ts';

const TEXT = { id: 'm', kind: 'text', unit: 'per_1m_tokens', input: '0.07', output: '3.3' };
const NEVER: BookWatchOptions['earlier'] = { content: null, book: null, changed_ms: null };

function watchOf(target: ProbeTarget = targetOf(), earlier = NEVER) {
  const metrics = freshMetrics();
  const watch = new BookWatch({ target, metrics, reader: {}, group: null, earlier });
  let now = 1_000;
  const served = (text: string) => {
    now += 1_000;
    return watch.read(new TextEncoder().encode(text), now);
  };
  const serve = (models: readonly object[], version = 'v1') =>
    served(
      JSON.stringify({
        object: 'pricebook',
        pricebook_id: 'pb',
        pricing_version: version,
        currency: 'USD',
        models,
      }),
    );
  const changes = async () => {
    const all = await samples(metrics, 'weighbridge_pricebook_changes_total');
    return all.filter((line) => !line.endsWith(' 0'));
  };
  return { metrics, watch, served, serve, changes };
}

test('prices become gauges of one unit, exact to the last digit that a double has', async () => {
  const { metrics, serve } = watchOf();
  serve([TEXT]);
  expect(await samples(metrics, 'weighbridge_price_usd_per_token')).toEqual([
    '{model="m",kind="input"} 7e-8',
    '{model="m",kind="output"} 0.0000033',
  ]);
  expect(await samples(metrics, 'weighbridge_pricebook_info')).toEqual(['{version="v1"} 1']);
  expect(await samples(metrics, 'weighbridge_pricebook_last_fetch')).toEqual(['_timestamp_seconds 2']);
});

test('an unreadable book takes the prices away: none of them is 0, and the last good read stays known', async () => {
  const { metrics, watch, serve, served, changes } = watchOf();
  watch.listed(['m']);
  serve([TEXT]);
  expect(served('<html>').unreadable).not.toEqual([]);
  expect(await samples(metrics, 'weighbridge_price_')).toEqual([]);
  expect(await samples(metrics, 'weighbridge_pricebook_info')).toEqual([]);
  expect(await samples(metrics, 'weighbridge_pricebook_models')).toEqual([]);
  expect(await changes()).toEqual(['{change="unparsed"} 1']);
  // The same page again is no further difference.
  served('<html>');
  expect(await changes()).toEqual(['{change="unparsed"} 1']);
  expect(await samples(metrics, 'weighbridge_pricebook_last')).toEqual([
    '_fetch_timestamp_seconds 2',
    '_change_timestamp_seconds 3',
  ]);
  // Compared with the last book that could be read.
  serve([{ ...TEXT, output: '3.4' }]);
  expect(await changes()).toEqual(['{change="price_up"} 1', '{change="unparsed"} 1']);
  expect(await samples(metrics, 'weighbridge_price_usd_per_token')).toHaveLength(2);
});

test('each class of change is counted, and the old version goes', async () => {
  const { metrics, serve, changes } = watchOf();
  serve([TEXT]);
  serve([TEXT], 'v2');
  expect(await changes()).toEqual(['{change="version_only"} 1']);
  expect(await samples(metrics, 'weighbridge_pricebook_info')).toEqual(['{version="v2"} 1']);
  serve(
    [
      { ...TEXT, input: '0.06', output: '3.5' },
      { ...TEXT, id: 'n' },
    ],
    'v3',
  );
  serve([{ ...TEXT, input: '0.06', output: '3.5' }], 'v4');
  expect(await changes()).toEqual([
    '{change="price_up"} 1',
    '{change="price_down"} 1',
    '{change="model_added"} 1',
    '{change="model_removed"} 1',
    '{change="version_only"} 1',
  ]);
});

test('a book in another order is no other one, without a version of its own too', async () => {
  const { metrics, serve, served, changes } = watchOf();
  serve([TEXT, { ...TEXT, id: 'n' }]);
  expect(serve([{ ...TEXT, id: 'n' }, TEXT])).toEqual({ differences: [], unreadable: [] });
  expect(await samples(metrics, 'weighbridge_pricebook_last_change')).toEqual([]);
  const entry = { litellm_provider: 'x', input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 };
  const list = { m: entry, n: entry };
  served(JSON.stringify(list));
  const before = [await changes(), await samples(metrics, 'weighbridge_pricebook_info')];
  expect(served(JSON.stringify(reordered(list))).differences).toEqual([]);
  expect([await changes(), await samples(metrics, 'weighbridge_pricebook_info')]).toEqual(before);
});

test('what changed while nobody watched is counted at the first read', async () => {
  const reading = readPriceBook(
    Buffer.from(
      JSON.stringify({
        object: 'pricebook',
        pricebook_id: 'pb',
        pricing_version: 'v0',
        currency: 'USD',
        models: [TEXT],
      }),
    ),
  );
  if ('unreadable' in reading) throw new Error('unreadable');
  const { serve, changes } = watchOf(targetOf(), {
    content: 'other',
    book: reading.book,
    changed_ms: 500_000,
  });
  serve([{ ...TEXT, output: '1' }]);
  expect(await changes()).toEqual(['{change="price_down"} 1']);
});

test('models of list and book are held against each other, once both were read', async () => {
  const { metrics, watch, serve } = watchOf();
  serve([TEXT, { ...TEXT, id: 'orphan' }]);
  expect(await samples(metrics, 'weighbridge_pricebook_models')).toEqual([]);
  watch.listed(['m', 'x', 'y']);
  expect(await samples(metrics, 'weighbridge_pricebook_models')).toEqual([
    '{state="priced"} 1',
    '{state="unpriced"} 2',
    '{state="orphan"} 1',
  ]);
});

test('variants are those that probes ask for; a reload takes others', async () => {
  const probes = [
    probeOf({ name: 'i', api: 'image', model: 'pic', size: '1024x1024', quality: 'high' }),
    probeOf({ name: 'v', api: 'video', model: 'film', size: '1280x720' }),
  ];
  const target = targetOf({ probes, watched_models: ['pic', 'film'] });
  const { metrics, watch, served } = watchOf(target);
  const image = (quality: string, price: string) =>
    ({ meter: 'image', price, per: '1', size: '1024x1024', quality }) as const;
  const second = (resolution: string, price: string) =>
    ({ meter: 'video_second', price, per: '1', resolution }) as const;
  const book = bookOf([
    plainModel('pic', 'image', [image('high', '0.17'), image('low', '0.01')]),
    plainModel('film', 'video', [second('720p', '0.1'), second('1080p', '0.3')]),
  ]);
  expect(served(JSON.stringify(book)).unreadable).toEqual([]);
  expect(await samples(metrics, 'weighbridge_price_usd_per_image')).toEqual([
    '{model="pic",variant="1024x1024 high"} 0.17',
  ]);
  expect(await samples(metrics, 'weighbridge_price_usd_per_second')).toEqual([
    '{model="film",variant="1280x720"} 0.1',
  ]);
  // Without a probe a model has a price only where it is one figure.
  watch.replace(targetOf({ watched_models: ['pic'] }), 5_000);
  expect(await samples(metrics, 'weighbridge_price_usd_per')).toEqual([]);
});
