import type { TextKind } from '../../core/call-kind.ts';
import type { ExchangeTimeouts } from './call-alarms.ts';
import type { ImageCall, ImageJobCall, TextCall, VideoCall } from './paid-call.ts';
import { PaidClient, type PaidClientOptions } from './paid-client.ts';

/** Short enough for a test, long enough for a busy machine. */
export const TEST_TIMEOUTS: ExchangeTimeouts = {
  connect_ms: 5000,
  headers_ms: 5000,
  first_token_ms: 5000,
  idle_ms: 5000,
  total_ms: 10_000,
};

let calls = 0;

/** A name that no other call of the process has. */
function nextCall(model: string) {
  calls += 1;
  return {
    name: { scenario: 'probe-a', n: calls, turn: null },
    model,
    prompt: 'Name three rivers.',
    timeouts: TEST_TIMEOUTS,
    worst_case_usd: '0.01',
  };
}

export function textCall(kind: TextKind, stream: boolean, changed: Partial<TextCall> = {}): TextCall {
  return { ...nextCall('aspen-nano'), kind, stream, max_tokens: 40, auth: 'bearer', ...changed };
}

const SHAPE = { size: '1024x1024', quality: 'low', multipart: false } as const;

export function imageCall(kind: ImageCall['kind'], changed: Partial<ImageCall> = {}): ImageCall {
  return { ...nextCall('lumen-image-mini'), ...SHAPE, kind, response_format: 'b64_json', ...changed };
}

export function imageJobCall(kind: ImageJobCall['kind'], changed: Partial<ImageJobCall> = {}): ImageJobCall {
  return { ...nextCall('lumen-image-mini'), ...SHAPE, kind, response_format: 'url', ...changed };
}

export function videoCall(changed: Partial<VideoCall> = {}): VideoCall {
  return { ...nextCall('orbit-2'), kind: 'video', size: '1280x720', seconds: 4, ...changed };
}

export function paidClient(
  root: string,
  key: string | null,
  changed: Partial<PaidClientOptions> = {},
): PaidClient {
  return new PaidClient({
    bases: { root, v1: `${root}/v1`, api: `${root}/api` },
    key: () => key,
    environment: {},
    userAgent: 'weighbridge-test',
    runId: 'run-a',
    instance: 'i1',
    ...changed,
  });
}
