import type { PicoUsd } from '../../core/amount.ts';
import type { ServedCall } from '../calls/paid-call.ts';
import { NO_TOKENS } from '../events/charge-record.ts';
import type { RequestFaults } from '../hooks/request-faults.ts';
import type { TaskWork } from './task.ts';

/** Work whose price stands before it begins, whatever it yields: an image, a video. */
export abstract class PricedWork implements TaskWork {
  readonly call: ServedCall;
  readonly price: PicoUsd;

  protected constructor(call: ServedCall, price: PicoUsd) {
    this.call = call;
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

  abandon(): void {
    this.call.abandon();
  }
}
