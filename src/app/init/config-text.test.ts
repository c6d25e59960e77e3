import { expect, test } from 'vitest';
import { configSchema } from '../../config/config-schema.ts';
import { readYaml } from '../../config/read-yaml.ts';
import { configText } from './write-config.ts';

test('an id stands in the file as the gateway served it, whatever characters it holds', () => {
  for (const id of ['a" # b: {', "it's \\ 100 %", '- x', '{a: 1}', '*y', '日本 #1']) {
    const cheapest = { text: id, image: id, video: id };
    const text = configText({ root: 'https://host', models: 1, book: null, cheapest });
    const { traffic, target } = readYaml({ text, file: 'weighbridge.yaml' }, configSchema);
    expect(traffic?.map(({ model }) => model)).toEqual([id, id, id]);
    expect(target?.url?.root).toBe('https://host');
  }
});

test('without a gateway every kind is on, and nothing names one', () => {
  const cheapest = { text: 't', image: 'i', video: 'v' };
  const text = configText({ root: null, models: 3, book: null, cheapest });
  const { traffic, target } = readYaml({ text, file: 'weighbridge.yaml' }, configSchema);
  expect(traffic?.map(({ kind }) => kind)).toEqual(['chat', 'responses', 'messages', 'image', 'video']);
  expect(target).toBeUndefined();
});
