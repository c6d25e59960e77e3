import { carriesError, readApiError } from './api-error.ts';
import { FormatStream, isDone, type StreamEvent, type TextStep } from './format-stream.ts';
import { asArray, asName, asObject, type JsonObject, parseObject } from './json-fields.ts';

const VISIBLE_DELTAS: readonly string[] = ['response.output_text.delta', 'response.refusal.delta'];

/** Events of the responses format; its ends are response.completed, response.incomplete and response.failed. */
export class ResponsesStream extends FormatStream {
  constructor() {
    super('responses');
  }

  protected override read(event: StreamEvent): TextStep {
    if (isDone(event.data)) return this.nothing();
    const body = parseObject(event.data);
    if (body === null) return this.garbled();
    const name = asName(body['type']) ?? event.type;
    if (carriesError(body['error'])) return this.fail(readApiError(body['error']));
    if (name === 'error') return this.fail({ ...readApiError(body), type: '' });
    if (name.endsWith('.delta')) {
      const delta = [body['delta']];
      return VISIBLE_DELTAS.includes(name) ? this.pieces(delta, []) : this.pieces([], delta);
    }
    return this.#lifecycle(name, asObject(body['response']) ?? {});
  }

  #lifecycle(name: string, response: JsonObject): TextStep {
    this.identify(response);
    this.setUsage(response['usage']);
    switch (name) {
      case 'response.completed':
        this.finish = 'completed';
        this.finished = true;
        break;
      case 'response.incomplete':
        this.#incomplete(asName(asObject(response['incomplete_details'])?.['reason']));
        break;
      case 'response.failed':
        this.finish = 'failed';
        this.fail(readApiError(response['error']));
        break;
      default:
        return this.nothing();
    }
    if (Array.isArray(response['output'])) this.tools = serverTools(response['output']);
    if (this.content) return this.end();
    // A gateway that got a plain answer upstream sends the text with the end only.
    const items = asArray(response['output'])
      .map(asObject)
      .filter((item) => item !== null);
    return this.end(
      items.flatMap((item) => parts(item).map((part) => part.visible)),
      items.flatMap((item) => [...parts(item).map((part) => part.hidden), item['arguments'], item['input']]),
    );
  }

  /** Reaching the asked length is an ordinary end, every other reason is not. */
  #incomplete(reason: string | null): void {
    this.finished = reason === 'max_output_tokens';
    this.partial = !this.finished;
    this.finish = this.finished ? 'length' : reason;
  }
}

function parts(item: JsonObject): { visible: unknown; hidden: unknown }[] {
  return [...asArray(item['content']), ...asArray(item['summary'])].map((value) => {
    const part = asObject(value);
    if (part?.['type'] === 'refusal') return { visible: part['refusal'], hidden: null };
    const text = part?.['text'];
    return part?.['type'] === 'output_text'
      ? { visible: text, hidden: null }
      : { visible: null, hidden: text };
  });
}

/** Items that ask the client to run something; any other call was the target's own, and is charged. */
const CLIENT_TOOLS: readonly string[] = ['function', 'custom_tool', 'local_shell', 'computer'];

/** Calls of the target's own tools among the items of an answer, by name. */
function serverTools(output: readonly unknown[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const item of output) {
    const type = asName(asObject(item)?.['type']) ?? '';
    const name = type.slice(0, -CALL_SUFFIX.length);
    if (!type.endsWith(CALL_SUFFIX) || CLIENT_TOOLS.includes(name)) continue;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const CALL_SUFFIX = '_call';
