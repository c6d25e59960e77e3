import { isTextKind } from '../../../core/call-kind.ts';
import type { FaultSubject } from '../../hooks/fault-definition.ts';

/** A text call of any format, plain or streamed. */
export function isTextCall({ kind }: FaultSubject): boolean {
  return kind !== null && isTextKind(kind);
}
