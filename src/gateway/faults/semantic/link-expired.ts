import * as z from 'zod';
import { defineFault } from '../../hooks/fault-definition.ts';
import { makesMedia } from './media-calls.ts';

/** A video's link is given by status reads and stays expired; of an image, only the first link is, unless it lasts. */
export const linkExpired = defineFault({
  id: 'sem.link_expired',
  summary:
    'A result link has expired when it is given. Reading the result or the content again gives one that works.',
  charge: 'charged',
  shape: { lasting: z.boolean().default(false).describe('Later links of an image have expired too.') },
  applies: makesMedia,
  arm({ lasting }, { fire, subject }) {
    let given = 0;
    return {
      linkExpired() {
        given += 1;
        if (subject.kind !== 'video' && given > 1 && !lasting) return false;
        fire();
        return true;
      },
    };
  },
});
