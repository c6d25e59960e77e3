import type { IncomingHttpHeaders } from 'node:http';

export interface RouteRequest {
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}
