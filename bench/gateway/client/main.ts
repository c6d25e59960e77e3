/** The load as a process of its own: each message of the parent is one load, each reply its counts. */
import { jsonLoad } from './json-load.ts';
import { type LoadMessage, loadMessage } from './load-message.ts';
import { streamLoad } from './stream-load.ts';

async function run(message: LoadMessage): Promise<object> {
  return message.load === 'json' ? jsonLoad(message.target, message) : streamLoad(message.target, message);
}

process.on('message', (message) => {
  run(loadMessage.parse(message)).then(
    (done) => process.send?.({ done }),
    (error: unknown) => process.send?.({ failed: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: {} });
