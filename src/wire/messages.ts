import { carriesError, readApiError } from './api-error.ts';
import { FormatStream, isDone, type StreamEvent, type TextStep } from './format-stream.ts';
import { asName, asObject, type JsonObject, parseObject } from './json-fields.ts';
import { mergeUsage } from './token-usage.ts';

/** Events of the messages format. Success is a stop_reason and message_stop. */
export class MessagesStream extends FormatStream {
  constructor() {
    super('messages');
  }

  protected override read(event: StreamEvent): TextStep {
    if (isDone(event.data) || event.type === 'ping') return this.nothing();
    const body = parseObject(event.data);
    if (body === null) return this.garbled();
    const name = asName(body['type']) ?? event.type;
    if (carriesError(body['error'])) return this.fail(readApiError(body['error']));
    const delta = asObject(body['delta']) ?? {};
    switch (name) {
      case 'error':
        return this.fail(readApiError(body));
      case 'message_start':
        return this.#start(asObject(body['message']) ?? {});
      case 'content_block_start':
        return this.#block(asObject(body['content_block']) ?? {});
      case 'content_block_delta':
        return this.#delta(delta);
      case 'message_delta':
        return this.#messageDelta(asName(delta['stop_reason']), body['usage']);
      case 'message_stop':
        return this.end();
      default:
        return this.nothing();
    }
  }

  #start(message: JsonObject): TextStep {
    this.identify({ id: message['id'], model: message['model'] });
    return this.#merge(message['usage']);
  }

  #messageDelta(stopReason: string | null, usage: unknown): TextStep {
    if (stopReason !== null) {
      this.finish = stopReason;
      this.finished = true;
    }
    return this.#merge(usage);
  }

  #merge(raw: unknown): TextStep {
    this.setUsage(mergeUsage(this.usage, raw));
    this.identify({ service_tier: asObject(raw)?.['service_tier'] });
    return this.nothing();
  }

  /** Blocks mostly start empty; some gateways send them filled. A tool's input counts when it has a member. */
  #block(block: JsonObject): TextStep {
    const input = asObject(block['input']);
    switch (block['type']) {
      case 'text':
        return this.pieces([block['text']], []);
      case 'thinking':
        return this.pieces([], [block['thinking']]);
      case 'tool_use':
        return this.pieces(
          [],
          input === null || Object.keys(input).length === 0 ? [] : [JSON.stringify(input)],
        );
      default:
        return this.nothing();
    }
  }

  #delta(delta: JsonObject): TextStep {
    switch (delta['type']) {
      case 'text_delta':
        return this.pieces([delta['text']], []);
      case 'thinking_delta':
        return this.pieces([], [delta['thinking']]);
      case 'input_json_delta':
        return this.pieces([], [delta['partial_json']]);
      default:
        return this.nothing();
    }
  }
}
