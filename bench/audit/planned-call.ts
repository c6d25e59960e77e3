import type { PaidKind } from '../../src/core/call-kind.ts';
import type { SeededRandom } from '../../src/core/seeded-random.ts';

export type ShapeKind = Extract<
  PaidKind,
  'chat' | 'responses' | 'messages' | 'image' | 'image_job' | 'video'
>;

/** What a call asks for. */
export interface CallShape {
  readonly kind: ShapeKind;
  readonly model: string;
  readonly stream?: boolean;
  /** Characters of the prompt; drawn where left out. */
  readonly prompt?: number;
  /** Output limit, tokens; drawn where left out, so that some replies end by themselves and some by it. */
  readonly limit?: number;
  /** Characters that stand before the prompt and may be cached: the same for all calls of the model, or new. */
  readonly prefix?: { readonly of: 'model' | 'call'; readonly characters: number };
  /** The context has exactly so many tokens: an honest call before it tells how long the prompt has to be. */
  readonly context?: number;
  readonly more?: Readonly<Record<string, unknown>>;
}

export interface PlannedCall {
  readonly shape: CallShape;
  /** Faults as the gateway's header takes them; null: an honest call. */
  readonly faults: string | null;
  /** Sent again after a failure, without faults. */
  readonly retried?: boolean;
  /** The client leaves after so many pieces of the answer. */
  readonly leaves?: number;
}

export const PATHS: Readonly<Record<ShapeKind, string>> = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
  image: '/v1/images/generations',
  image_job: '/v1/images/generations/jobs',
  video: '/v1/videos',
};

const WORDS = 'mill river stone grain wheel bridge market winter barley ledger scale harbour'.split(' ');

/** The body of a call, its texts drawn; `longer` characters are added to the prompt. */
export function bodyOf(shape: CallShape, random: SeededRandom, longer = 0): object {
  const { kind, model, stream = false, limit = 24 + random.below(400), more = {} } = shape;
  const own = text(random, (shape.prompt ?? 40 + random.below(400)) + longer);
  switch (kind) {
    case 'chat':
      return {
        model,
        stream,
        ...(stream ? { stream_options: { include_usage: true } } : {}),
        max_tokens: limit,
        messages: [...before(shape, random, 'system'), { role: 'user', content: own }],
        ...more,
      };
    case 'messages':
      return {
        model,
        stream,
        max_tokens: limit,
        messages: [...before(shape, random, 'user'), { role: 'user', content: own }],
        ...more,
      };
    case 'responses':
      return {
        model,
        stream,
        max_output_tokens: limit,
        input: [...before(shape, random, 'system'), { role: 'user', content: own }],
        ...more,
      };
    case 'image':
    case 'image_job':
      return { model, prompt: own, size: '1024x1024', quality: 'low', ...more };
    case 'video':
      return { model, prompt: own, seconds: 4, size: '1280x720', ...more };
  }
}

function before({ prefix, model }: CallShape, random: SeededRandom, role: string): readonly object[] {
  if (prefix === undefined) return [];
  const content =
    prefix.of === 'call' ? text(random, prefix.characters) : `${model} `.padEnd(prefix.characters, 'mill ');
  return [{ role, content }];
}

function text(random: SeededRandom, characters: number): string {
  let made = '';
  while (made.length < characters) made += `${WORDS[random.below(WORDS.length)]}${random.below(1000)} `;
  return made.slice(0, characters);
}
