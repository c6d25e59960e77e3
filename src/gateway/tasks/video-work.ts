import type { PicoUsd } from '../../core/amount.ts';
import type { ServedCall } from '../calls/paid-call.ts';
import type { VideoRequest } from '../formats/video-request.ts';
import { type VideoFile, videoFile } from '../media/mp4.ts';
import { PricedWork } from './priced-work.ts';

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
