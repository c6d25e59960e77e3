import { expect, test } from 'vitest';
import { acceptedFormat, acceptsGzip } from './accepted-format.ts';

const PROMETHEUS =
  'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2';

test.each([
  [PROMETHEUS, 'openmetrics'],
  ['application/openmetrics-text; version="1.0.0"; charset=utf-8', 'openmetrics'],
  ['application/openmetrics-text', 'openmetrics'],
  ['text/plain;q=0.9, application/openmetrics-text;q=0.4', 'text'],
  ['application/openmetrics-text;q=0', 'text'],
  ['application/openmetrics-text;q=high', 'text'],
  ['application/openmetrics-text;version=2.0.0', 'text'],
  ['text/html,*/*;q=0.8', 'text'],
  ['application/json', 'text'],
  ['', 'text'],
  [undefined, 'text'],
])('Accept: %s gives %s', (accept, format) => {
  expect(acceptedFormat(accept)).toBe(format);
});

test.each([
  ['gzip', true],
  ['br, GZIP;q=0.5', true],
  ['*', true],
  ['gzip;q=0, *', false],
  ['identity', false],
  [undefined, false],
])('Accept-Encoding: %s means gzip: %s', (accept, taken) => {
  expect(acceptsGzip(accept)).toBe(taken);
});
