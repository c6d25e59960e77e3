/**
 * Imports the boards of dashboards/grafana into a Grafana, runs the queries of each panel, and lists the panels without data.
 * `npm run grafana:check -- --url http://127.0.0.1:3000 --token-file token.txt [--datasource NAME] [--from now-1h]`
 * Ends with 0 where Grafana ran every query, 1 where it refused one, 2 for wrong flags, 3 where it does not answer or refuses the token.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkBoards, checkLines, chosenSource } from './grafana/check-boards.ts';
import { GrafanaApi, GrafanaRefusal } from './grafana/grafana-api.ts';
import { boardFile } from './grafana/panel-queries.ts';

const BOARDS = resolve(import.meta.dirname, '../dashboards/grafana');

try {
  const flags = parseArgs({
    options: {
      url: { type: 'string' },
      'token-file': { type: 'string' },
      datasource: { type: 'string' },
      from: { type: 'string' },
    },
  }).values;
  process.exitCode = await main(flags.url, flags['token-file'], flags.datasource ?? null, flags.from ?? null);
} catch (error) {
  // A flag that is not known, or a token file that is not there.
  if (!(error instanceof Error && 'code' in error)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

async function main(
  url: string | undefined,
  tokenFile: string | undefined,
  wanted: string | null,
  from: string | null,
): Promise<number> {
  if (url === undefined || tokenFile === undefined) {
    console.error(
      'expected --url with the address of Grafana, and --token-file with a service account token (Editor)',
    );
    return 2;
  }
  const grafana = new GrafanaApi(url, readFileSync(tokenFile, 'utf8').trim());
  try {
    console.error(`Grafana ${await grafana.version()} at ${url}`);
    const source = chosenSource(await grafana.prometheusSources(), wanted);
    if (typeof source === 'string') {
      console.error(source);
      return 2;
    }
    const boards = readdirSync(BOARDS)
      .sort()
      .map((name) => boardFile.parse(JSON.parse(readFileSync(resolve(BOARDS, name), 'utf8'))));
    const checks = await checkBoards(grafana, boards, { datasource: source.uid, from });
    for (const line of checkLines(checks)) console.log(line);
    return checks.some(({ error }) => error !== null) ? 1 : 0;
  } catch (error) {
    const unreachable = error instanceof TypeError && error.message === 'fetch failed';
    if (!unreachable && !(error instanceof GrafanaRefusal)) throw error;
    console.error(unreachable ? `no Grafana answers at ${url}` : error.message);
    return 3;
  }
}
