import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';

/** What Grafana puts in place of variables. */
function substituted(expr: string): string {
  return expr
    .replaceAll('$__rate_interval', '5m')
    .replaceAll('$__interval', '1m')
    .replace(/"\$\w+"/g, '".+"');
}

/** Promtool on texts given as files; what it said in one piece. */
export function promtool(command: readonly string[], files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'weighbridge-promtool-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const { status, stdout, stderr } = spawnSync('promtool', [...command, ...Object.keys(files)], {
      cwd: folder,
      encoding: 'utf8',
    });
    return { status, said: stdout + stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Queries as records, since that is where promtool reads PromQL; `promtool check rules` names the first that is wrong. */
export function parseQueries(queries: readonly string[]): {
  readonly status: number | null;
  readonly said: string;
} {
  const rules = queries.map((expr, index) => ({
    record: `query:number_${index}:parsed`,
    expr: substituted(expr),
  }));
  return promtool(['check', 'rules'], { 'queries.yml': stringify({ groups: [{ name: 'queries', rules }] }) });
}

export function parseQuery(expr: string): string | null {
  const { status, said } = parseQueries([expr]);
  return status === 0 ? null : (/parse error: .*/.exec(said)?.[0] ?? said);
}
