import type { PicoUsd } from '../../core/amount.ts';
import type { PaidCall } from '../charging/paid-call.ts';
import { NO_TOKENS } from '../charging/token-usage.ts';
import type { RequestFaults } from '../faults/request-faults.ts';
import type { TaskWork } from '../tasks/task.ts';
import { type VideoFile, videoFile } from './video-file.ts';
import type { VideoRequest } from './video-request.ts';

/** One video: its call, what was asked and what it costs. */
export class VideoWork implements TaskWork {
  readonly call: PaidCall;
  readonly request: VideoRequest;
  readonly price: PicoUsd;

  constructor(call: PaidCall, request: VideoRequest, price: PicoUsd) {
    this.call = call;
    this.request = request;
    this.price = price;
  }

  get faults(): RequestFaults {
    return this.call.faults;
  }

  file(): VideoFile {
    return videoFile(this.request.size, this.request.seconds);
  }

  complete(lateness_ms: number): void {
    this.call.late(lateness_ms);
    this.call.settle({ amount: this.price, usage: NO_TOKENS, result: 'completed', estimated: false });
    this.call.end();
  }

  fail(): void {
    this.call.refund('failed');
    this.call.end();
  }

  abandon(): void {
    this.call.abandon();
  }
}
