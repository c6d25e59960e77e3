import type { Buffer } from 'node:buffer';
import type { PicoUsd } from '../../core/amount.ts';
import type { PaidCall } from '../charging/paid-call.ts';
import { NO_TOKENS } from '../charging/token-usage.ts';
import type { TaskWork } from '../tasks/task.ts';
import { stillMp4 } from './mp4.ts';
import type { VideoRequest } from './video-request.ts';

const FILES = new Map<string, Buffer>();

/** One video: its call, what was asked and what it costs. */
export class VideoWork implements TaskWork {
  readonly call: PaidCall;
  readonly request: VideoRequest;
  readonly #price: PicoUsd;

  constructor(call: PaidCall, request: VideoRequest, price: PicoUsd) {
    this.call = call;
    this.request = request;
    this.#price = price;
  }

  /** The MP4, made once for each size and length. */
  file(): Buffer {
    const { size, seconds } = this.request;
    const name = `${size} ${seconds}`;
    const held = FILES.get(name);
    if (held !== undefined) return held;
    const [width = 0, height = 0] = size.split('x').map(Number);
    const made = stillMp4(width, height, seconds);
    FILES.set(name, made);
    return made;
  }

  complete(lateness_ms: number): void {
    this.call.late(lateness_ms);
    this.call.settle({ amount: this.#price, usage: NO_TOKENS, result: 'completed', estimated: false });
    this.call.end();
  }

  fail(): void {
    this.call.refund('failed');
    this.call.end();
  }

  abandon(): void {
    this.call.end();
  }
}
