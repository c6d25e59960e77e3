import { type PromptCall, prefixName } from './prompt-call.ts';

/** A beginning of a prompt that an earlier call of the same key and model had. */
interface WarmPrefix {
  readonly name: string;
  readonly bytes: number;
  /** Since the last such call was sent whose answer had begun by now. */
  readonly answered_ago_ms: number;
  /** Since the last such call was sent, whatever became of it. */
  readonly sent_ago_ms: number;
}

export interface WarmPrompt extends PromptCall {
  /** The longest first. */
  readonly warm: readonly WarmPrefix[];
}

/** Which beginnings of each prompt had been sent before, and answered, when its call was sent. */
export function warmPrompts(prompts: readonly PromptCall[]): readonly WarmPrompt[] {
  const known = new Map<string, Senders>();
  return prompts.map((prompt) => {
    const { call, prefixes, answered_ms } = prompt;
    const warm: WarmPrefix[] = [];
    for (const prefix of prefixes) {
      const name = prefixName(call, prefix);
      const senders = known.get(name) ?? new Senders();
      known.set(name, senders);
      const before = senders.before(call.started_ms);
      if (before !== null) warm.unshift({ name, bytes: prefix.bytes, ...before });
      senders.add(call.started_ms, answered_ms);
    }
    return { ...prompt, warm };
  });
}

/** The calls that had one beginning, by their start. */
class Senders {
  #lastSent: number | null = null;
  #lastAnswered: number | null = null;
  /** Those whose answer had not begun when one was asked for last. */
  #waiting: { readonly sent_ms: number; readonly answered_ms: number }[] = [];

  add(sent_ms: number, answered_ms: number | null): void {
    this.#lastSent = sent_ms;
    if (answered_ms !== null) this.#waiting.push({ sent_ms, answered_ms });
  }

  before(now_ms: number): Pick<WarmPrefix, 'answered_ago_ms' | 'sent_ago_ms'> | null {
    for (const { sent_ms, answered_ms } of this.#waiting)
      if (answered_ms <= now_ms) this.#lastAnswered = Math.max(sent_ms, this.#lastAnswered ?? sent_ms);
    this.#waiting = this.#waiting.filter(({ answered_ms }) => answered_ms > now_ms);
    if (this.#lastAnswered === null || this.#lastSent === null) return null;
    return { answered_ago_ms: now_ms - this.#lastAnswered, sent_ago_ms: now_ms - this.#lastSent };
  }
}
