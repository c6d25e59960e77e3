import type { TextKind } from '../core/call-kind.ts';
import { ChatStream } from './chat.ts';
import type { FormatStream } from './format-stream.ts';
import { MessagesStream } from './messages.ts';
import { ResponsesStream } from './responses.ts';

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
