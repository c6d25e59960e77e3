import { Buffer } from 'node:buffer';
import * as z from 'zod';
import { defineFault, type FaultDefinition, firing, plainFault } from '../../hooks/fault-definition.ts';
import { makesImage, makesVideo, mediaCall } from '../hit.ts';

const YEAR_S = 366 * 86_400;

/** The record keeps the true time. */
const clockSkew = defineFault({
  id: 'sem.clock_skew',
  summary: 'Answers have a wrong creation time, or one in milliseconds. The record has the true one.',
  shape: {
    offset_s: z.int().min(-YEAR_S).max(YEAR_S).default(3600).describe('Seconds added; negative: too early.'),
    unit: z.enum(['seconds', 'milliseconds']).default('seconds').describe('Unit of the time.'),
  },
  // The messages format tells no time.
  applies: (call) => mediaCall(call) || call.kind === 'chat' || call.kind === 'responses',
  arm({ offset_s, unit }, { fire }) {
    const createdAt = (unix_s: number): number | null => {
      if (offset_s === 0 && unit === 'seconds') return null;
      fire();
      return (unix_s + offset_s) * (unit === 'milliseconds' ? 1000 : 1);
    };
    return {
      createdAt,
      reply(reply) {
        const created = createdAt(reply.created);
        return created === null ? null : { ...reply, created };
      },
    };
  },
});

const UNREADY = Buffer.from('{"status":"in_progress"}');
const PAGE = Buffer.from('<!doctype html><title>Not here</title><p>The file could not be found.</p>');

const tooEarly = defineFault({
  id: 'sem.content_too_early_bytes',
  summary: 'A download before completion is 200 with the type video/mp4 and no video in it.',
  shape: {
    body: z.enum(['empty', 'json']).default('empty').describe('empty: no byte; json: a status as JSON.'),
  },
  applies: makesVideo,
  arm: ({ body }, { fire }) => ({
    content: firing(fire, (file) => (file !== null ? null : body === 'empty' ? Buffer.alloc(0) : UNREADY)),
  }),
});

const notMp4 = plainFault({
  id: 'sem.not_mp4',
  summary: 'The download of a completed video is 200 with the type video/mp4, but a page of HTML.',
  applies: makesVideo,
  arm: ({ fire }) => ({
    content: firing(fire, (file) => (file === null ? null : PAGE)),
  }),
});

/** Downloads that are no MP4. */
const VIDEO_BYTES = [tooEarly, notMp4];

const bothFields = plainFault({
  id: 'sem.both_image_fields',
  summary: 'An image response carries both url and b64_json.',
  applies: makesImage,
  arm: ({ fire }) => ({
    images: firing(fire, (_items, forms) => [{ ...forms.url(), ...forms.b64Json() }]),
  }),
});

const noField = plainFault({
  id: 'sem.no_image_field',
  summary: 'An image response carries neither url nor b64_json. The image is charged all the same.',
  applies: makesImage,
  arm: ({ fire }) => ({
    images: firing(fire, () => [{}]),
  }),
});

const wrongFormat = plainFault({
  id: 'sem.wrong_format',
  summary: 'An image response carries url where b64_json was asked for, and the other way round.',
  applies: makesImage,
  arm: ({ fire }) => ({
    images: firing(fire, (_items, forms) => [forms.asked === 'url' ? forms.b64Json() : forms.url()]),
  }),
});

const nIgnored = defineFault({
  id: 'sem.n_ignored',
  summary:
    'An image response carries several images, though one is all that may be asked for. One is charged.',
  shape: { images: z.int().min(2).max(10).default(2).describe('How many it carries.') },
  applies: makesImage,
  arm: ({ images }, { fire }) => ({
    images: firing(fire, (_items, forms) =>
      Array.from({ length: images }, () => (forms.asked === 'url' ? forms.url() : forms.b64Json())),
    ),
  }),
});

/** Image responses whose items are not what was asked for. */
const IMAGE_ITEMS = [bothFields, noField, wrongFormat, nIgnored];

/** A video's link is given by status reads and stays expired; of an image, only the first link is, unless it lasts. */
const linkExpired = defineFault({
  id: 'sem.link_expired',
  summary:
    'A result link has expired when it is given. Reading the result or the content again gives one that works.',
  shape: { lasting: z.boolean().default(false).describe('Later links of an image have expired too.') },
  applies: mediaCall,
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

const listed = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })).min(1) });

/** Only the list is wrong: calls go by what the key may really call. */
const modelListLies = defineFault({
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

/** Faults of what image and video answers carry, and of the model list. */
export const MEDIA_FAULTS: readonly FaultDefinition[] = [
  ...IMAGE_ITEMS,
  ...VIDEO_BYTES,
  linkExpired,
  clockSkew,
  modelListLies,
];
