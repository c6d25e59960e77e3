/** Shows that a k6 holds the extension: needs no server, and ends with 99 where a check fails. */
import { check } from 'k6';
import { chat, version } from 'k6/x/weighbridge';

export const options = { thresholds: { checks: ['rate==1'] } };

export default function smoke() {
  // Nothing listens there.
  const refused = chat({ url: 'http://127.0.0.1:1/v1', model: 'm', prompt: 'Hello', maxTokens: 1 });
  check(refused, {
    'the extension tells its version': () => /^\d+\.\d+\.\d+/.test(version()),
    'a server that is not there is an outcome': ({ ok, outcome }) => !ok && outcome === 'net_error',
  });
}
