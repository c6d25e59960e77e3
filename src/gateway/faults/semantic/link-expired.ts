import { defineFault } from '../fault-definition.ts';
import { makesMedia } from './media-calls.ts';

/** A video's link is given by status reads and stays expired; of an image, only the first link is. */
export const linkExpired = defineFault({
  id: 'sem.link_expired',
  summary:
    'A result link has expired when it is given. Reading the result or the content again gives one that works.',
  charge: 'charged',
  shape: {},
  applies: makesMedia,
  arm(_parameters, { fire, subject }) {
    let given = 0;
    return {
      linkExpired() {
        given += 1;
        if (subject.kind !== 'video' && given > 1) return false;
        fire();
        return true;
      },
    };
  },
});
