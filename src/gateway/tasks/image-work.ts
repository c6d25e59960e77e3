import type { PicoUsd } from '../../core/amount.ts';
import type { ServedCall } from '../calls/paid-call.ts';
import type { ImageRequest } from '../formats/image-request.ts';
import { PricedWork } from './priced-work.ts';

/** One image: its call, what was asked and what it costs. */
export class ImageWork extends PricedWork {
  readonly kind: 'generation' | 'edit';
  readonly request: ImageRequest;

  constructor(call: ServedCall, kind: 'generation' | 'edit', request: ImageRequest, price: PicoUsd) {
    super(call, price);
    this.kind = kind;
    this.request = request;
  }

  /** The client left before it had its image. */
  cancel(): void {
    this.call.refund('cancelled');
    this.call.end();
  }
}
