import { carriesError, readApiError } from './api-error.ts';
import { FormatStream, isDone, type StreamEvent, type TextStep } from './format-stream.ts';
import { asArray, asInteger, asName, asObject, type JsonObject, parseObject } from './json-fields.ts';

/**
 * Chat chunks. [DONE] alone proves nothing, gateways write it over a cut upstream: success needs a finish_reason for
 * every choice seen as well.
 */
export class ChatStream extends FormatStream {
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
