import assert from 'node:assert/strict';
import { objectsIn } from '../json.ts';
import type { Reply } from '../reply.ts';
import type { RequirementCase } from '../requirement-case.ts';
import { EDITS, editForm } from '../service.ts';

type Service = Parameters<RequirementCase['run']>[0];

function refuses(
  name: string,
  id: RequirementCase['requires'][0],
  ask: (service: Service) => Promise<Reply>,
): RequirementCase {
  return { name, requires: [id], run: async (service) => assert.equal((await ask(service)).status, 400) };
}

/** The first image of an answer. */
function imageOf(reply: Reply): Record<string, unknown> {
  return objectsIn(reply.at('data'))[0] ?? {};
}

export const IMAGE_CASES: readonly RequirementCase[] = [
  {
    name: 'an image generation is answered with 200',
    requires: ['images.generation_200'],
    run: async (service) => assert.equal((await service.image()).status, 200),
  },
  {
    name: 'an image answer tells when it was created',
    requires: ['images.created_integer'],
    run: async (service) => assert.ok(Number.isInteger((await service.image()).at('created'))),
  },
  {
    name: 'the images of an answer stand in an array',
    requires: ['images.data_array'],
    run: async (service) => assert.ok(Array.isArray((await service.image()).at('data'))),
  },
  {
    name: 'response_format url fills url',
    requires: ['images.format_url'],
    run: async (service) => {
      const { url } = imageOf(await service.image({ response_format: 'url' }));
      assert.ok(typeof url === 'string' && url !== '');
    },
  },
  {
    name: 'response_format b64_json fills b64_json',
    requires: ['images.format_b64_json'],
    run: async (service) => {
      const { b64_json } = imageOf(await service.image({ response_format: 'b64_json' }));
      assert.ok(typeof b64_json === 'string' && b64_json !== '');
    },
  },
  refuses('a response_format that does not exist is refused', 'images.format_others', (service) =>
    service.image({ response_format: 'bmp' }),
  ),
  refuses('an image generation without a model is refused', 'images.model_required', (service) =>
    service.image({ model: undefined }),
  ),
  refuses('an image generation without a prompt is refused', 'images.prompt_required', (service) =>
    service.image({ prompt: undefined }),
  ),
  {
    name: 'an image of 1024x1024 is made',
    requires: ['images.size_square'],
    run: async (service) => assert.equal((await service.edit({ size: '1024x1024' })).status, 200),
  },
  ...['auto', 'low', 'medium', 'high'].map(
    (quality): RequirementCase => ({
      name: `an image of quality ${quality} is made`,
      requires: ['images.qualities'],
      run: async (service) => assert.equal((await service.edit({ quality })).status, 200),
    }),
  ),
  refuses('a quality that does not exist is refused', 'images.quality_others', (service) =>
    service.edit({ quality: 'ultra' }),
  ),
  refuses('the options of an edit hold for a generation too', 'images.shared_options', (service) =>
    service.image({ n: 2 }),
  ),
  {
    name: 'an edit is taken as JSON',
    requires: ['edits.json'],
    run: async (service) => {
      const reply = await service.edit({ image: 'https://images.invalid/lighthouse.png' });
      assert.ok(objectsIn(reply.at('data')).length > 0);
    },
  },
  {
    name: 'an edit is taken as a form',
    requires: ['edits.multipart'],
    run: async (service) => {
      assert.ok(objectsIn((await service.post(EDITS, editForm())).at('data')).length > 0);
    },
  },
  {
    name: 'an edit is answered with 200',
    requires: ['edits.answer_200'],
    run: async (service) => assert.equal((await service.edit({ prompt: 'a status' })).status, 200),
  },
  refuses('an edit without an image is refused as JSON', 'edits.image_required', (service) =>
    service.edit({ image: undefined }),
  ),
  refuses('an edit without an image is refused as a form', 'edits.image_required', (service) =>
    service.post(EDITS, editForm({ image: undefined })),
  ),
  refuses('an edit whose image is no string in JSON is refused', 'edits.image_string', (service) =>
    service.edit({ image: 7 }),
  ),
  refuses('an edit without a prompt is refused', 'edits.prompt_required', (service) =>
    service.edit({ prompt: undefined }),
  ),
  refuses('an edit without a model is refused', 'edits.model_required', (service) =>
    service.edit({ model: undefined }),
  ),
  refuses('an edit of two images is refused', 'edits.n_only_one', (service) => service.edit({ n: 2 })),
  refuses('an edit of two images is refused as a form', 'edits.n_only_one', (service) =>
    service.post(EDITS, editForm({ n: '2' })),
  ),
  {
    name: 'an edit of one image is taken',
    requires: ['edits.n_one'],
    run: async (service) => assert.notEqual((await service.edit({ n: 1 })).status, 400),
  },
  {
    name: 'an edit makes one image unless told otherwise',
    requires: ['edits.n_default'],
    run: async (service) => assert.equal(objectsIn((await service.edit()).at('data')).length, 1),
  },
  {
    name: 'an image is not streamed',
    requires: ['streams.no_image_stream'],
    run: async (service) => {
      assert.doesNotMatch((await service.image({ stream: true })).type, /event-stream/);
    },
  },
  {
    name: 'a video is not streamed',
    requires: ['streams.no_video_stream'],
    run: async (service) => {
      assert.doesNotMatch((await service.video({ stream: true })).type, /event-stream/);
    },
  },
];
