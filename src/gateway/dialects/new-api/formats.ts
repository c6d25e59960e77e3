import type { TextFormat, TextReply } from '../../formats/text-format.ts';
import { modelById } from '../../models/catalogue.ts';
import { isJsonObject } from '../../requests/json-answer.ts';
import { asksForAnHour } from '../hour-cache.ts';
import { isClaude } from './ratios.ts';

/** What a request without a limit gets. */
const MAX_TOKENS = 4096;

/** The formats with what such a gateway takes and tells otherwise. */
export function spokenFormat(format: TextFormat): TextFormat {
  if (format.kind !== 'messages') return format;
  return {
    ...format,
    read(body) {
      const limited =
        isJsonObject(body) && body['max_tokens'] === undefined ? { ...body, max_tokens: MAX_TOKENS } : body;
      const asked = format.read(limited);
      return asksForAnHour(body) ? { ...asked, longCacheLife: true } : asked;
    },
    whole: (reply) => format.whole(told(reply)),
    events: (reply) => format.events(told(reply)),
  };
}

/** Behind another provider the input tokens of this format hold the cached ones, which stand beside them all the same. */
function told(reply: TextReply): TextReply {
  const model = modelById(reply.model);
  if (model === null || isClaude(model) || reply.usage.cacheRead === 0) return reply;
  const { usage } = reply;
  return { ...reply, usage: { ...usage, input: usage.input + usage.cacheRead } };
}
