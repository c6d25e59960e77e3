import type { ChargedUnits } from '../charging/priced-work.ts';
import type { ChargedEndpoint, ChargedKind } from '../http/endpoints.ts';

/** What a request says of itself that rows of a dialect repeat. */
export interface CallNote {
  readonly stream: boolean;
  /** The task that it creates; null: none. */
  readonly taskId: string | null;
  /** `user` of the body. */
  readonly endUser: string;
  /** `metadata.tags` of the body. */
  readonly tags: readonly string[];
  readonly sessionId: string | null;
}

/** What no record keeps of a call. */
export interface CallDetail {
  readonly requestId: string;
  readonly endpoint: ChargedEndpoint;
  readonly kind: ChargedKind;
  readonly work: ChargedUnits | null;
  readonly prompt: string;
  readonly note: CallNote | null;
  /** Milliseconds since the epoch. */
  readonly receivedWall: number;
  /** Null while it is open. */
  readonly times: { readonly firstToken_ms: number | null; readonly end_ms: number } | null;
}

/** Details of calls by the id under which their records stand: kept for dialects, as long as the process lives. */
export class CallDetails {
  readonly #byId = new Map<string, CallDetail>();
  #changes = 0;

  /** How often a call was accepted or ended. */
  get changes(): number {
    return this.#changes;
  }

  accepted(recordedId: string, detail: Omit<CallDetail, 'times'>): void {
    this.#changes += 1;
    this.#byId.set(recordedId, { ...detail, times: null });
  }

  ended(recordedId: string, times: NonNullable<CallDetail['times']>): void {
    this.#changes += 1;
    const held = this.#byId.get(recordedId);
    if (held !== undefined) this.#byId.set(recordedId, { ...held, times });
  }

  /** Null for a record of no call of this process. */
  of(recordedId: string): CallDetail | null {
    return this.#byId.get(recordedId) ?? null;
  }
}
