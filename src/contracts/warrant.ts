import { z } from 'zod';
import type { Shape } from './shape.ts';

/**
 * What an accusation rests on: a sentence of the interface, a document that the target served, what our own client saw,
 * a declaration of the user's, or a habit that the target's records follow.
 */
const WARRANT_KINDS = ['sentence', 'document', 'observation', 'declaration', 'habit'] as const;

export const warrantSchema = z
  .strictObject({
    kind: z.enum(WARRANT_KINDS),
    of: z.string().describe('in words: which sentence, document, observation, key or habit'),
  })
  .meta({ id: 'warrant' });
export type Warrant = Shape<typeof warrantSchema>;
export type WarrantKind = Warrant['kind'];
