import { isTextKind } from '../../core/call-kind.ts';
import type { FaultSubject } from '../hooks/fault-definition.ts';
import type { Endpoint } from '../http/endpoints.ts';

/** Which requests a fault can hit. */
export type Hit = (subject: FaultSubject) => boolean;

export const anyRequest: Hit = () => true;

export const paidCall: Hit = ({ kind }) => kind !== null;

/** Text in any of the three formats, plain or streamed. */
export const textCall: Hit = ({ kind }) => kind !== null && isTextKind(kind);

/** Calls that make an image, at once or as a job. */
export const makesImage: Hit = ({ kind }) => kind?.startsWith('image') ?? false;

export const makesVideo: Hit = ({ kind }) => kind === 'video';

/** Calls that can fail after they were accepted: images, jobs and videos. */
export const mediaCall: Hit = (subject) => makesImage(subject) || makesVideo(subject);

/** Calls that create a task: an image job or a video. */
export const createsTask: Hit = ({ kind }) =>
  kind === 'video' || kind === 'image_job' || kind === 'image_edit_job';

/** Calls and reads that need an API key, or may have one (interface §4). */
export const withApiKey: Hit = ({ endpoint }) => endpoint.startsWith('/v1/');

/** All but the price book, which needs no credential. */
export const withCredential: Hit = ({ endpoint }) => endpoint !== '/pricing.usd.json';

export function endpoints(...wanted: readonly Endpoint[]): Hit {
  return ({ endpoint }) => wanted.includes(endpoint);
}

export const totalsRead = endpoints('/v1/usage');
export const pageRead = endpoints('/v1/usage/requests');
export const usageRead = endpoints('/v1/usage', '/v1/usage/requests');
