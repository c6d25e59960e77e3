import { expect, test } from 'vitest';
import { ModelWatch } from './model-watch.ts';
import { freshMetrics, probeOf, samples, targetOf } from './watch-bench.test-support.ts';

const CHANGES = 'weighbridge_models_changes_total';

test('changes count between two reads of one credential, from the archived list on', async () => {
  const metrics = freshMetrics();
  const watch = new ModelWatch(targetOf(), metrics, new Map([['key', ['a', 'b']]]));
  expect(watch.read('key', ['b', 'c', 'd'])).toEqual({ added: ['c', 'd'], removed: ['a'] });
  // The first public list that was ever read says nothing of changes.
  expect(watch.read('none', ['x'])).toEqual({ added: [], removed: [] });
  watch.read('key', ['d', 'c', 'b', 'b']);
  expect(await samples(metrics, CHANGES)).toEqual([
    '{credential="none",change="added"} 0',
    '{credential="none",change="removed"} 0',
    '{credential="key",change="added"} 2',
    '{credential="key",change="removed"} 1',
  ]);
  expect(await samples(metrics, 'weighbridge_models_listed')).toEqual([
    '{credential="key"} 3',
    '{credential="none"} 1',
  ]);
});

test('a watched model is listed by the list of the key alone; an archived list says nothing of now', async () => {
  const metrics = freshMetrics();
  const watch = new ModelWatch(
    targetOf({ watched_models: ['a', 'gone'] }),
    metrics,
    new Map([['key', ['a']]]),
  );
  expect(watch.listed()).toBeNull();
  expect(watch.listsForKey('a')).toBe(false);
  watch.read('none', ['a', 'gone']);
  expect(watch.listsForKey('a')).toBe(false);
  expect(await samples(metrics, 'weighbridge_model_listed')).toEqual([]);
  expect(watch.listed()).toEqual(['a', 'gone']);
  watch.read('key', ['a']);
  expect(await samples(metrics, 'weighbridge_model_listed')).toEqual(['{model="a"} 1', '{model="gone"} 0']);
  expect(watch.listed()).toEqual(['a']);
  expect([watch.listsForKey('a'), watch.listsForKey('gone')]).toEqual([true, false]);
  watch.replace(targetOf({ watched_models: ['gone'] }));
  expect(await samples(metrics, 'weighbridge_model_listed')).toEqual(['{model="gone"} 0']);
});

test('a listed model is unavailable while its last run was refused as such; other failures change nothing', async () => {
  const metrics = freshMetrics();
  const probes = ['a', 'b', 'unlisted'].map((model) => probeOf({ name: model, model }));
  const watch = new ModelWatch(targetOf({ probes }), metrics, new Map());
  watch.read('key', ['a', 'b', 'c']);
  const counts = () => samples(metrics, 'weighbridge_models_probed');
  expect(await counts()).toEqual(['{state="available"} 0', '{state="unavailable"} 0']);
  watch.ended('a', 'none');
  watch.ended('b', 'upstream_crowded');
  watch.ended('unlisted', 'model_not_found');
  expect(await counts()).toEqual(['{state="available"} 1', '{state="unavailable"} 1']);
  watch.ended('a', 'insufficient_user_quota');
  watch.ended('b', 'timeout_total');
  expect(await counts()).toEqual(['{state="available"} 1', '{state="unavailable"} 1']);
  watch.ended('b', 'none');
  expect(await counts()).toEqual(['{state="available"} 2', '{state="unavailable"} 0']);
  watch.close();
  expect(await samples(metrics, 'weighbridge_model')).toEqual([]);
});
