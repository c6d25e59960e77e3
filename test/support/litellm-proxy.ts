import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { pythonTool } from './python-tool.ts';
import { ROOT, scratchDir } from './run-weighbridge.ts';

/** USD of a token; the names are those of LiteLLM's price map. */
type TokenPrices = Readonly<Record<string, string>>;

export interface ProxyModel {
  readonly model: string;
  /** Such as `openai/aspen-mini`: the format in which the proxy calls what stands behind it. */
  readonly upstream: string;
  readonly prices: TokenPrices;
}

export interface LitellmProxy {
  readonly url: string;
  readonly key: string;
  /** What its callback noted so far, one JSON text a call. */
  readonly noted: () => readonly string[];
  readonly log: string;
  /** The rows that its table of spend would hold, one JSON text a call. */
  readonly spend: string;
  /** Ends it in order, so that what it still holds is noted. */
  readonly stop: () => Promise<void>;
}

const KEY = 'sk-of-the-proxy';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('expected a port, found none');
  return address.port;
}

function configOf(models: readonly ProxyModel[], gateway: string): object {
  return {
    model_list: models.map(({ model, upstream, prices }) => ({
      model_name: model,
      litellm_params: {
        model: upstream,
        api_base: upstream.startsWith('anthropic/') ? gateway : `${gateway}/v1`,
        api_key: 'os.environ/GATEWAY_KEY',
        ...Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, Number(price)])),
      },
    })),
    litellm_settings: {
      callbacks: ['note_calls.note_calls', 'note_spend.note_spend'],
      num_retries: 0,
      telemetry: false,
    },
    general_settings: { master_key: 'os.environ/LITELLM_MASTER_KEY' },
  };
}

/** LiteLLM's proxy on 127.0.0.1 in front of a gateway; it ends with the test. Throws with what it said where it does not come up. */
export async function litellmProxy(
  gateway: { readonly url: string; readonly key: string },
  models: readonly ProxyModel[],
): Promise<LitellmProxy> {
  const dir = scratchDir();
  const log = join(dir, 'noted.ndjson');
  const spend = join(dir, 'spend.ndjson');
  // JSON is YAML.
  writeFileSync(join(dir, 'config.yaml'), JSON.stringify(configOf(models, gateway.url)));
  copyFileSync(join(ROOT, 'examples/litellm/note_calls.py'), join(dir, 'note_calls.py'));
  copyFileSync(join(import.meta.dirname, 'litellm/note_spend.py'), join(dir, 'note_spend.py'));
  const port = await freePort();
  const child = spawn(
    pythonTool('litellm'),
    ['--config', 'config.yaml', '--host', '127.0.0.1', '--port', String(port)],
    {
      cwd: dir,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: dir,
        GATEWAY_KEY: gateway.key,
        LITELLM_MASTER_KEY: KEY,
        NOTE_CALLS_TO: log,
        NOTE_SPEND_TO: spend,
        // Its own list of prices comes with the package; no other is asked for.
        LITELLM_LOCAL_MODEL_COST_MAP: 'True',
        LITELLM_TELEMETRY: 'False',
        PYTHONUNBUFFERED: '1',
        PYTHONDONTWRITEBYTECODE: '1',
      },
    },
  );
  let said = '';
  const up = new Promise<boolean>((ready) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said = `${said}${text}`.slice(-20_000);
        if (/Uvicorn running on/.test(said)) ready(true);
      });
    child.once('close', () => ready(false));
  });
  const ended = once(child, 'close');
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
  };
  onTestFinished(stop);
  if (!(await up)) throw new Error(`LiteLLM's proxy ended with ${child.exitCode}: ${said}`);
  return {
    url: `http://127.0.0.1:${port}`,
    key: KEY,
    log,
    spend,
    noted: () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []),
    stop,
  };
}
