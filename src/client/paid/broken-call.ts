import { type ErrorType, isErrorTypeOf, type Outcome } from '../../contracts/outcome.ts';
import { networkErrorType, networkErrorWords } from '../network-error.ts';
import type { AlarmName } from './call-alarms.ts';

/** What broke a call off before its answer had ended. */
export interface Broken {
  readonly outcome: Outcome;
  readonly error_type: ErrorType;
  readonly message: string;
}

export function brokenByAlarm(name: Exclude<AlarmName, 'drained'>): Broken {
  return { outcome: name, error_type: name, message: name.replaceAll('_', ' ') };
}

export const BROKEN_BY_US: Broken = { outcome: 'interrupted', error_type: 'none', message: 'the run ended' };

/** Under an answer a broken connection cuts it; before one it is a fault of the network. */
export function brokenByError(error: unknown, answered: boolean): Broken {
  const message = networkErrorWords(error);
  if (answered) return { outcome: 'truncated', error_type: 'stream_truncated', message };
  const type = networkErrorType(error);
  if (type === 'timeout_connect') return { outcome: type, error_type: type, message };
  const known = isErrorTypeOf('net_error', type);
  return { outcome: 'net_error', error_type: known ? type : '_OTHER', message };
}
