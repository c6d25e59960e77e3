import type { TextKind } from '../core/call-kind.ts';
import { carriesError, readApiError } from './api-error.ts';
import { FormatStream, isDone, type StreamEvent, type TextStep } from './format-stream.ts';
import { asArray, asInteger, asName, asObject, type JsonObject, parseObject } from './json-fields.ts';
import { ResponsesStream } from './responses.ts';
import { mergeUsage } from './token-usage.ts';

export type { StreamEvent, TextResult, TextStep } from './format-stream.ts';

/** Follows one streamed answer of a text format, event by event; what the target sends never makes it throw. */
export type TextStream = Pick<FormatStream, 'event' | 'result'>;

export function createTextStream(kind: TextKind): TextStream {
  switch (kind) {
    case 'chat':
      return new ChatStream();
    case 'responses':
      return new ResponsesStream();
    case 'messages':
      return new MessagesStream();
  }
}

/**
 * Chat chunks. [DONE] alone proves nothing, gateways write it over a cut upstream: success needs a finish_reason for
 * every choice seen as well.
 */
class ChatStream extends FormatStream {
  readonly #finishOf = new Map<number, string | null>();

  constructor() {
    super('chat');
  }

  protected override read(event: StreamEvent): TextStep {
    if (isDone(event.data)) return this.end();
    const chunk = parseObject(event.data);
    if (chunk === null) return this.garbled();
    const choices = asArray(chunk['choices'])
      .map(asObject)
      .filter((choice) => choice !== null);
    this.identify(chunk);
    // Some upstreams put the usage into the choice.
    this.setUsage(
      chunk['usage'] ??
        choices
          .map((choice) => choice['usage'])
          .filter((usage) => usage != null)
          .at(-1),
    );
    if (carriesError(chunk['error'])) return this.fail(readApiError(chunk['error']));
    if (event.type === 'error') return this.fail(readApiError(chunk));
    for (const choice of choices) this.#choose(choice);
    const visible: unknown[] = [];
    const hidden: unknown[] = [];
    for (const { delta } of choices) {
      const told = asObject(delta);
      if (told === null) continue;
      visible.push(told['content'], told['refusal']);
      hidden.push(told['reasoning_content'], told['reasoning'], ...callArguments(told));
    }
    return this.pieces(visible, hidden);
  }

  /** '' and null say that the choice goes on; the finish of the call is that of its lowest index. */
  #choose(choice: JsonObject): void {
    const index = asInteger(choice['index']) ?? 0;
    const known = this.#finishOf.get(index);
    const finish = asName(choice['finish_reason']) ?? known ?? null;
    // So it is with nearly every event of a stream.
    if (finish === known) return;
    this.#finishOf.set(index, finish);
    this.finished = [...this.#finishOf.values()].every((finish) => finish !== null);
    this.finish = this.#finishOf.get(Math.min(...this.#finishOf.keys())) ?? null;
  }
}

function callArguments(delta: JsonObject): unknown[] {
  const functions = asArray(delta['tool_calls']).map((call) => asObject(call)?.['function']);
  return [...functions, delta['function_call']].map((called) => asObject(called)?.['arguments']);
}

/** Events of the messages format. Success is a stop_reason and message_stop. */
class MessagesStream extends FormatStream {
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
