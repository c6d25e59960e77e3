import type { PicoUsd } from '../../core/amount.ts';
import type { PaidCall } from '../charging/paid-call.ts';
import { NO_TOKENS } from '../charging/token-usage.ts';
import type { RequestFaults } from '../faults/request-faults.ts';
import type { TaskWork } from '../tasks/task.ts';
import type { ImageRequest } from './image-request.ts';

/** One image: its call, what was asked and what it costs. */
export class ImageWork implements TaskWork {
  readonly call: PaidCall;
  readonly kind: 'generation' | 'edit';
  readonly request: ImageRequest;
  readonly price: PicoUsd;

  constructor(call: PaidCall, kind: 'generation' | 'edit', request: ImageRequest, price: PicoUsd) {
    this.call = call;
    this.kind = kind;
    this.request = request;
    this.price = price;
  }

  get faults(): RequestFaults {
    return this.call.faults;
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

  /** The client left before it had its image. */
  cancel(): void {
    this.call.refund('cancelled');
    this.call.end();
  }

  abandon(): void {
    this.call.abandon();
  }
}
