import * as z from 'zod';
import { defineFault } from '../../hooks/fault-definition.ts';

const listed = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })).min(1) });

/** Only the list is wrong: calls go by what the key may really call. */
export const modelListLies = defineFault({
  id: 'sem.model_list_lies',
  summary: 'The model list names a model whose calls are 404, or leaves one out whose calls work.',
  charge: 'none',
  shape: {
    lie: z
      .enum(['lists_unserved', 'hides_served'])
      .default('lists_unserved')
      .describe('Whether a model is added or left out.'),
    model: z
      .string()
      .max(191)
      .default('')
      .describe('Its id; empty: an id that no model has, or the first of the list.'),
  },
  applies: ({ endpoint }) => endpoint === '/v1/models',
  arm: ({ lie, model }, { fire }) => ({
    json(value) {
      const read = listed.safeParse(value);
      const [first] = read.data?.data ?? [];
      if (read.data === undefined || first === undefined) return null;
      const { data } = read.data;
      const id = model !== '' ? model : lie === 'hides_served' ? first.id : 'unserved-model';
      // What is listed already, or not at all, cannot be lied about in that way.
      if (data.some((entry) => entry.id === id) !== (lie === 'hides_served')) return null;
      fire();
      const told =
        lie === 'hides_served' ? data.filter((entry) => entry.id !== id) : [...data, { ...first, id }];
      return { ...value, data: told };
    },
  }),
});
