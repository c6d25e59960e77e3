/** Takes the lines of an event stream as they come. */
export interface EventSink {
  /** A piece of one event's data; `first` at its beginning. Lines of one event are joined by a line feed. */
  data(piece: string): void;
  /** The event is whole. */
  dispatch(type: string): void;
  /** A comment line is whole. */
  comment?(): void;
}

/** Longest name of a field, and longest event type, that is looked at. */
const MOST_HEAD = 128;
const LINE_END = /[\r\n]/g;

/**
 * Splits server-sent events as the standard says, and hands data on piece by piece, so that no line is
 * ever held
 * whole. Comments, ids and retry values are passed over.
 */
export class EventText {
  readonly #sink: EventSink;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** The beginning of a line until its field is known, and the value of an `event` line. */
  #head = '';
  #field: 'unknown' | 'data' | 'event' | 'other' = 'unknown';
  #lineOpen = false;
  #afterCr = false;
  #first = true;
  #type = '';
  #dataLines = 0;
  #blankDue = false;
  #open = false;

  constructor(sink: EventSink) {
    this.#sink = sink;
  }

  /** True while an event, or a line that is no comment, is unfinished. */
  get pending(): boolean {
    return this.#open || (this.#lineOpen && !this.#head.startsWith(':'));
  }

  feed(chunk: Uint8Array): void {
    let text = this.#decoder.decode(chunk, { stream: true });
    if (text === '') return;
    if (this.#first) {
      this.#first = false;
      if (text.startsWith('\u{feff}')) text = text.slice(1);
    }
    let at = 0;
    if (this.#afterCr && text.startsWith('\n')) at = 1;
    if (text !== '') this.#afterCr = false;
    while (at < text.length) {
      const end = indexOfMatch(LINE_END, text, at);
      if (end < 0) {
        this.#piece(text.slice(at));
        return;
      }
      this.#piece(text.slice(at, end));
      this.#endLine();
      at = end + 1;
      if (text.charAt(end) !== '\r') continue;
      if (at === text.length) this.#afterCr = true;
      else if (text.charAt(at) === '\n') at += 1;
    }
  }

  #piece(text: string): void {
    if (text === '') return;
    this.#lineOpen = true;
    if (this.#field === 'data') this.#data(text);
    if (this.#field === 'data' || this.#field === 'other') return;
    this.#head += text;
    if (this.#field === 'event') {
      this.#head = this.#head.slice(0, MOST_HEAD);
      return;
    }
    const colon = this.#head.indexOf(':');
    if (colon < 0) {
      if (this.#head.length > MOST_HEAD) this.#leaveLine();
      return;
    }
    this.#named(this.#head.slice(0, colon), this.#head.slice(colon + 1));
  }

  #named(name: string, value: string): void {
    if (name === 'data') {
      this.#startData();
      this.#data(value);
    } else if (name === 'event') {
      this.#field = 'event';
      this.#head = value.slice(0, MOST_HEAD);
    } else {
      this.#leaveLine(name === '' ? ':' : '');
    }
  }

  /** `mark` keeps a comment known as one. */
  #leaveLine(mark = ''): void {
    this.#field = 'other';
    this.#head = mark;
  }

  #startData(): void {
    this.#field = 'data';
    this.#head = '';
    if (this.#dataLines > 0) this.#sink.data('\n');
    this.#dataLines += 1;
    this.#blankDue = true;
  }

  /** One blank behind the colon is no part of the value. */
  #data(text: string): void {
    const value = this.#blankDue && text.startsWith(' ') ? text.slice(1) : text;
    if (text !== '') this.#blankDue = false;
    if (value !== '') this.#sink.data(value);
  }

  #endLine(): void {
    if (!this.#lineOpen) {
      this.#endEvent();
      return;
    }
    const isComment = this.#head.startsWith(':');
    if (this.#field === 'event') this.#type = this.#head.startsWith(' ') ? this.#head.slice(1) : this.#head;
    // A field may stand without a colon, and is empty then.
    else if (this.#field === 'unknown' && this.#head === 'data') this.#startData();
    else if (this.#field === 'unknown' && this.#head === 'event') this.#type = '';
    if (isComment) this.#sink.comment?.();
    else this.#open = true;
    this.#head = '';
    this.#field = 'unknown';
    this.#lineOpen = false;
  }

  #endEvent(): void {
    if (this.#dataLines > 0) this.#sink.dispatch(this.#type);
    this.#dataLines = 0;
    this.#type = '';
    this.#open = false;
  }
}

/**
 * Where one character that a global expression names is found next, from `at` on; -1 where there is none. `exec` would
 * make a list for each line and each text that is read.
 */
export function indexOfMatch(character: RegExp, text: string, at: number): number {
  character.lastIndex = at;
  return character.test(text) ? character.lastIndex - 1 : -1;
}
