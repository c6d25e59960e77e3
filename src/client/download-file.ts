import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { interceptors, request } from 'undici';
import { networkErrorWords } from './network-error.ts';
import { openDispatcher } from './open-dispatcher.ts';
import type { Environment } from './proxy-of.ts';

/** Between two parts of the file. */
const SILENCE_MS = 60_000;
const MOST_REDIRECTS = 5;

/** Why a file was not downloaded, in words. */
export class DownloadFailed extends Error {
  override readonly name = 'DownloadFailed';
}

/**
 * Writes what an address serves to a file, and returns its SHA-256. Redirects are followed: no credential goes along, and
 * the caller knows the hash. Throws DownloadFailed.
 */
export async function downloadFile(
  address: string,
  file: string,
  { environment, maxBytes }: { readonly environment: Environment; readonly maxBytes: number },
): Promise<string> {
  const dispatcher = openDispatcher(address, environment);
  try {
    const { statusCode, body } = await request(address, {
      dispatcher: dispatcher.compose(interceptors.redirect({ maxRedirections: MOST_REDIRECTS })),
      headersTimeout: SILENCE_MS,
      bodyTimeout: SILENCE_MS,
    });
    if (statusCode !== 200) throw new DownloadFailed(`HTTP ${statusCode}`);
    const hash = createHash('sha256');
    let size = 0;
    await pipeline(
      body,
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          size += chunk.length;
          if (size > maxBytes) throw new DownloadFailed(`it is larger than ${maxBytes} bytes`);
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(file),
    );
    return hash.digest('hex');
  } catch (cause) {
    if (cause instanceof DownloadFailed) throw cause;
    // The disk, not the network.
    if (cause instanceof Error && 'syscall' in cause && cause.syscall === 'write') throw cause;
    throw new DownloadFailed(networkErrorWords(cause), { cause });
  } finally {
    await dispatcher.destroy();
  }
}
