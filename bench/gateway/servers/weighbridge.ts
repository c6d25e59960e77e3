/** The embedded gateway as a process: `node weighbridge.ts <latency plan> <journal file>`. */
import { readLatency } from '../../../src/gateway/latency/read-latency.ts';
import { startGateway } from '../../../src/gateway/start-gateway.ts';
import { serveParent } from './served-parent.ts';

const [, , plan = '', journalPath = ''] = process.argv;
const gateway = await startGateway({
  port: 0,
  seed: 1,
  latency: readLatency({ text: plan, file: 'plan' }),
  journalPath,
});
serveParent(gateway.ready, {
  report: () => gateway.latenessReport(),
  reset: () => gateway.resetLateness(),
});
