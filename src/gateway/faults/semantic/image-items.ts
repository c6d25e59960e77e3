import * as z from 'zod';
import { defineFault } from '../../hooks/fault-definition.ts';
import { makesImage } from './media-calls.ts';

const bothFields = defineFault({
  id: 'sem.both_image_fields',
  summary: 'An image response carries both url and b64_json.',
  charge: 'charged',
  shape: {},
  applies: makesImage,
  arm: (_parameters, { fire }) => ({
    images(_items, forms) {
      fire();
      return [{ ...forms.url(), ...forms.b64Json() }];
    },
  }),
});

const noField = defineFault({
  id: 'sem.no_image_field',
  summary: 'An image response carries neither url nor b64_json. The image is charged all the same.',
  charge: 'charged',
  shape: {},
  applies: makesImage,
  arm: (_parameters, { fire }) => ({
    images() {
      fire();
      return [{}];
    },
  }),
});

const wrongFormat = defineFault({
  id: 'sem.wrong_format',
  summary: 'An image response carries url where b64_json was asked for, and the other way round.',
  charge: 'charged',
  shape: {},
  applies: makesImage,
  arm: (_parameters, { fire }) => ({
    images(_items, forms) {
      fire();
      return [forms.asked === 'url' ? forms.b64Json() : forms.url()];
    },
  }),
});

const nIgnored = defineFault({
  id: 'sem.n_ignored',
  summary:
    'An image response carries several images, though one is all that may be asked for. One is charged.',
  charge: 'charged',
  shape: { images: z.int().min(2).max(10).default(2).describe('How many it carries.') },
  applies: makesImage,
  arm: ({ images }, { fire }) => ({
    images(_items, forms) {
      fire();
      return Array.from({ length: images }, () => (forms.asked === 'url' ? forms.url() : forms.b64Json()));
    },
  }),
});

/** Image responses whose items are not what was asked for. */
export const IMAGE_ITEMS = [bothFields, noField, wrongFormat, nIgnored];
