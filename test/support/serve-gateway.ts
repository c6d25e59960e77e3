/**
 * Serves the embedded gateway on a data directory until it is killed: `node serve-gateway.ts DIR`.
 * It starts at the first byte on stdin, so that its modules can be loaded while another one still serves.
 */
import { once } from 'node:events';
import { WeighbridgeError } from '../../src/contracts/failure.ts';
import { startGateway } from '../../src/gateway/start-gateway.ts';

const [dataDir = ''] = process.argv.slice(2);
await once(process.stdin, 'data');
process.stdin.unref();
try {
  const { ready, notes, close } = await startGateway({ port: 0, seed: 5, latency: 'fast', dataDir });
  process.stdout.write(`${JSON.stringify({ ...ready, notes })}\n`);
  process.on('SIGTERM', () => {
    void close().then(() => process.exit(0));
  });
} catch (error) {
  if (!(error instanceof WeighbridgeError)) throw error;
  process.stderr.write(`${error.code}: ${error.message}\n`);
  process.exit(error.exitCode);
}
