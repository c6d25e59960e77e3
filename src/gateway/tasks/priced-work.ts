import type { PicoUsd } from '../../core/amount.ts';
import type { ServedCall } from '../calls/paid-call.ts';
import { NO_TOKENS } from '../events/charge-record.ts';
import type { ImageRequest } from '../formats/image-request.ts';
import type { VideoRequest } from '../formats/video-request.ts';
import type { RequestFaults } from '../hooks/request-faults.ts';
import { type VideoFile, videoFile } from '../media/mp4.ts';
import type { Readings } from '../readings/readings.ts';
import type { TaskWork } from './task.ts';

/** Work whose price stands before it begins, whatever it yields: an image, a video. */
abstract class PricedWork implements TaskWork {
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

/** One image: its call, what was asked and what it costs. */
export class ImageWork extends PricedWork {
  readonly kind: 'generation' | 'edit';
  readonly request: ImageRequest;
  /** How many images it makes. */
  readonly count: number;

  constructor(
    call: ServedCall,
    kind: 'generation' | 'edit',
    request: ImageRequest,
    price: PicoUsd,
    count = 1,
  ) {
    super(call, price);
    this.count = count;
    this.kind = kind;
    this.request = request;
  }

  /** The client left before it had its image. */
  cancel({ cancelled_call }: Readings): void {
    if (cancelled_call === 'free') this.call.refund('cancelled');
    else this.call.settle({ amount: this.price, usage: NO_TOKENS, result: 'cancelled', estimated: false });
    this.call.end();
  }
}

/** One video: its call, what was asked and what it costs. */
export class VideoWork extends PricedWork {
  readonly request: VideoRequest;

  constructor(call: ServedCall, request: VideoRequest, price: PicoUsd) {
    super(call, price);
    this.request = request;
  }

  file(): VideoFile {
    return videoFile(this.request.size, this.request.seconds);
  }
}
