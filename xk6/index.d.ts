/**
 * The JavaScript API of our k6 extension. A server's outcome never rejects: promises reject only on misuse
 * (no ledger open, malformed arguments). The key is read by Go from WEIGHBRIDGE_API_KEY or WEIGHBRIDGE_API_KEY_FILE
 * and never enters JavaScript; price bounds and the spend cap are read by Go from the plan file.
 */
declare module 'k6/x/weighbridge' {
  export type PaidKind =
    | 'chat'
    | 'responses'
    | 'messages'
    | 'completion'
    | 'embedding'
    | 'image'
    | 'image_edit'
    | 'image_job'
    | 'image_edit_job'
    | 'video';

  export interface CallUnits {
    images?: number;
    size?: string;
    quality?: string;
    seconds?: number;
    resolution?: string;
  }

  /** One field of a multipart body; `file` is base64. */
  export interface MultipartField {
    name: string;
    value?: string;
    file?: { filename: string; content_type: string; base64: string };
  }

  /** One message of a conversation; the three text formats spell it alike. */
  export interface Message {
    role: 'user' | 'assistant' | 'system';
    content: string;
  }

  export interface CallRequest {
    /** Names, kind, model, credential, sizes, limits and cut of the call, where they are not said here. */
    planned?: PlannedCall;
    /** Unique in the run, and it ends with the attempt's number: the row and the intent carry it. */
    call_id?: string;
    logical_id?: string;
    /** 1 where it is not said. A later one of a planned call puts its own marker into the body. */
    attempt?: number;
    /** Number of the start that the call belongs to; in a pool what is not planned must say it. */
    n?: number;
    /** Keeps the visible text of the answer in the result. */
    keep_text?: boolean;
    /** Cuts the call on purpose, at whichever comes first after it was sent. */
    stop_after?: { after_ms: number | null; after_events: number | null };
    kind?: PaidKind | 'read' | 'download';
    /** POST for paid kinds, GET otherwise. */
    method?: string;
    /**
     * Path under the root such as /v1/chat/completions, or an absolute URL (downloads). A planned text call of which
     * neither path nor body is said is put on the wire of its kind.
     */
    path?: string;
    /** What was said before a planned text call that says no path and no body. */
    history?: readonly Message[];
    headers?: Record<string, string>;
    /** A text is sent byte for byte, an object of plain data as JSON; JSON unless a content-type header says otherwise. */
    body?: string | object;
    multipart?: MultipartField[];
    /** Default bearer; x-api-key is the messages vendor's header. none for signed links. */
    auth?: 'bearer' | 'x-api-key' | 'none';
    model?: string;
    max_tokens?: number;
    /** Bytes of prompt text: no more input tokens than this plus the fixed overhead are assumed. */
    prompt_bytes?: number;
    units?: CallUnits;
    /** Name of a text field of the JSON answer that must be a non-empty image, checked by its magic bytes. */
    expect?: 'json' | 'image' | 'mp4' | 'bytes';
  }

  export interface TaskRequest extends CallRequest {
    task: {
      /** Field of the submit answer that holds the identifier. */
      id_field: 'job_id' | 'id';
      /** `{id}` is replaced. */
      status_path: string;
      result_path: string;
      /** result: an image response (JSON); download: bytes of an MP4. */
      result_kind: 'result' | 'download';
      /** Waits grow from first_ms by factor up to max_ms; Retry-After is obeyed. */
      first_ms: number;
      factor: number;
      max_ms: number;
    };
  }

  export interface CallResult {
    call_id: string;
    outcome: string;
    error_type: string;
    status: number | null;
    error_code: string | null;
    request_id: string | null;
    ttft_ms: number | null;
    end_ms: number;
    finish: string | null;
    terminal_seen: boolean | null;
    out_chars: number | null;
    usage: {
      input: number | null;
      output: number | null;
      cache_read: number | null;
      cache_write: number | null;
    } | null;
    /** Final status of a task. */
    task_status: string | null;
    /** Link in an image answer, when response_format was url. */
    url: string | null;
    /** Why nothing was sent, with outcome not_sent: spend_cap or halted. */
    not_sent: string | null;
    /** png, jpeg, webp, mp4 or unknown: by magic bytes of an image answer or a download. */
    content: string | null;
    bytes_in: number | null;
    /** Number of the last attempt, and how many were made again: the retry policy is the plan's. */
    attempt: number;
    retries: number;
    /** Visible text of the answer; empty unless keep_text asked for it. */
    text: string;
  }

  /** Call n of a scenario, as planCall in src/workload/call-plan.ts specifies it, with its names and its marked prompt. */
  export interface PlannedCall {
    readonly scenario: string;
    readonly n: number;
    /** Of the first attempt: it ends with /1. */
    readonly call_id: string;
    readonly logical_id: string;
    readonly marker: string;
    readonly prompt: string;
    readonly prompt_bytes: number;
    readonly kind: PaidKind;
    readonly model: string;
    readonly stream: boolean;
    readonly max_tokens: number | null;
    readonly auth: 'bearer' | 'x-api-key';
    readonly multipart: boolean;
    readonly image: { size: string; quality: string; response_format: 'url' | 'b64_json' } | null;
    readonly video: { seconds: number; size: string } | null;
    /** When to cut the call on purpose; null for a call that is read to its end. */
    readonly abort: { after_ms: number | null; after_events: number | null } | null;
    readonly watermark: number | null;
    /** Turn of a session, from 1 on; null outside one. */
    readonly turn: number | null;
    readonly turns: number;
    /** How long to wait between this turn's answer and the next turn; null after the last one. */
    readonly think_ms: number | null;
  }

  export class Client {
    /** Without options the target and the timeouts are the plan's. */
    constructor(options?: {
      root: string;
      timeouts: {
        connect_ms: number;
        headers_ms: number;
        first_token_ms: number;
        idle_ms: number;
        total_ms: number;
        task_ms: number;
      };
    });
    /** A streamed text call; resolves once, after the stream's end. */
    stream(request: CallRequest): Promise<CallResult>;
    /** A plain call whose answer is JSON. A link of a paid image answer is fetched, with a free row: the call is ok with a picture alone. */
    call(request: CallRequest): Promise<CallResult>;
    /** Submits a job or task, polls the same identifier until it is final, fetches its result: one paid row, and a free row a poll and a fetch. */
    poll(request: TaskRequest): Promise<CallResult>;
    /** Fetches bytes: counted, hashed, checked by their magic bytes, and dropped. */
    download(request: CallRequest): Promise<CallResult>;
  }

  /**
   * Plans call n (from 0) of a scenario of the plan: those of the iteration where they are not said. turn is 1 but in a
   * session, where it goes up to `turns`. What it returns cannot be changed.
   */
  export function plannedCall(scenario?: string | null, n?: number | null, turn?: number): PlannedCall;
  /** Bytes of a text in UTF-8. */
  export function byteLength(text: string): number;

  /**
   * Makes the start of this iteration where it is one text call, and returns true when that is over; returns false at once
   * where a script has to make it. streamAll streams what the plan makes plain.
   */
  export function makeStart(streamAll: boolean): boolean;
  /**
   * In a pool, makes all starts of this virtual user where each is one text call, and resolves to true after the last;
   * resolves to false at once where they are more: sessions, images, videos. streamAll streams the plain ones too.
   */
  export function makeStarts(streamAll: boolean): Promise<boolean>;
  /** Whether some start of the plan is more than one text call. */
  export const needsScript: boolean;

  /** Whether this k6 knows the executor weighbridge-arrivals. */
  export function hasArrivals(): boolean;
  /** The next start of this virtual user, or null after the last one; only in a pool (callsPerVU above 1). */
  export function nextStart(): Promise<number | null>;
  /** Says that all calls of a start are over, so that its place is free. */
  export function doneStart(n: number): void;

  /** One call of a script without a plan. */
  export interface AloneRequest {
    /** Base address as SDKs take it, such as http://127.0.0.1:8000/v1; one without a path gets /v1. */
    url: string;
    model: string;
    /** What the user says; may be left out where body has messages or input of its own. */
    prompt?: string;
    maxTokens?: number;
    stream?: boolean;
    /** The longest that the call may take, 300,000 where it is not said. */
    timeoutMs?: number;
    /** One that carries a credential stands for the key of WEIGHBRIDGE_API_KEY or WEIGHBRIDGE_API_KEY_FILE. */
    headers?: Record<string, string>;
    /** Laid over the members that we write; null takes one away. */
    body?: Record<string, unknown>;
  }

  /** Times in ms, as the glossary defines them and planned runs stamp them; null for what was not seen. */
  export interface AloneResult {
    ok: boolean;
    status: number | null;
    outcome: string;
    /** What the server or the network said, null for a call that is ok. */
    error: string | null;
    ttft: number | null;
    itl: { p50: number; p95: number; p99: number; max: number } | null;
    tpot: number | null;
    e2e: number;
    /** As the server tells them. */
    tokens: { input: number | null; output: number | null };
    text: string;
    finish: string | null;
  }

  /**
   * Makes one call of any script, without plan, ids, ledger and cap, and returns when it is over. What a server does never
   * throws; misuse does, and so does a plan: its cap would not hold.
   */
  export function chat(request: AloneRequest): AloneResult;
  export function responses(request: AloneRequest): AloneResult;
  export function messages(request: AloneRequest): AloneResult;

  /** Version of this extension. */
  export function version(): string;
  /** Milliseconds on the monotonic clock. */
  export function now(): number;
}
