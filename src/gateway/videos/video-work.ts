import type { PicoUsd } from '../../core/amount.ts';
import type { PaidCall } from '../charging/paid-call.ts';
import { PricedWork } from '../tasks/priced-work.ts';
import { type VideoFile, videoFile } from './video-file.ts';
import type { VideoRequest } from './video-request.ts';

/** One video: its call, what was asked and what it costs. */
export class VideoWork extends PricedWork {
  readonly request: VideoRequest;

  constructor(call: PaidCall, request: VideoRequest, price: PicoUsd) {
    super(call, price);
    this.request = request;
  }

  file(): VideoFile {
    return videoFile(this.request.size, this.request.seconds);
  }
}
