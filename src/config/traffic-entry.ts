import { checkTraffic } from './traffic-rules.ts';
import { trafficKeys } from './traffic-schema.ts';

/** One scenario: calls of one kind at one rate. */
export const trafficEntry = trafficKeys.superRefine(checkTraffic);
