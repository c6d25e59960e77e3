import type { DataSource, GrafanaApi } from './grafana-api.ts';
import { type BoardFile, panelQueries } from './panel-queries.ts';

const FOLDER = { uid: 'weighbridge', title: 'Weighbridge' };

export interface PanelCheck {
  readonly board: string;
  readonly panel: string;
  /** Rows of all its queries. */
  readonly rows: number;
  /** Why Grafana refused one of them; null where it ran all. */
  readonly error: string | null;
}

/** Imports each board into the folder Weighbridge, then runs the queries of each of its panels. `from` is null for the time of the board. */
export async function checkBoards(
  grafana: GrafanaApi,
  boards: readonly BoardFile[],
  { datasource, from }: { readonly datasource: string; readonly from: string | null },
): Promise<readonly PanelCheck[]> {
  await grafana.makeFolder(FOLDER.uid, FOLDER.title);
  const checks: PanelCheck[] = [];
  for (const board of boards) {
    await grafana.importBoard(board, FOLDER.uid);
    for (const { title, queries } of panelQueries(board, datasource)) {
      const answers = await grafana.query(queries, from ?? board.time.from);
      const each = queries.map(({ refId }) => answers.get(refId) ?? { rows: 0, error: 'no answer' });
      checks.push({
        board: board.uid,
        panel: title,
        rows: each.reduce((sum, { rows }) => sum + rows, 0),
        error: each.find(({ error }) => error !== null)?.error ?? null,
      });
    }
  }
  return checks;
}

/** `wanted` by uid or name, else the default one, else the only one; a text says what stands in the way. */
export function chosenSource(sources: readonly DataSource[], wanted: string | null): DataSource | string {
  const known = sources.map(({ name, uid }) => `${name} (${uid})`).join(', ');
  if (wanted !== null)
    return (
      sources.find(({ uid, name }) => uid === wanted || name === wanted) ??
      `no Prometheus data source ${wanted}; there ${sources.length === 0 ? 'is none' : `are: ${known}`}`
    );
  const [only] = sources;
  const chosen = sources.find(({ isDefault }) => isDefault) ?? (sources.length === 1 ? only : undefined);
  if (chosen !== undefined) return chosen;
  return only === undefined
    ? 'this Grafana has no Prometheus data source: add one, whose server scrapes the daemon'
    : `several Prometheus data sources, none is the default: name one with --datasource; there are: ${known}`;
}

/** A line for each panel without data or with a refused query, and one for all. */
export function checkLines(checks: readonly PanelCheck[]): readonly string[] {
  const lines = checks.flatMap(({ board, panel, rows, error }) => {
    if (error !== null) return [`${board}: ${panel}: refused: ${error}`];
    return rows === 0 ? [`${board}: ${panel}: no data`] : [];
  });
  const refused = checks.filter(({ error }) => error !== null).length;
  const empty = checks.filter(({ error, rows }) => error === null && rows === 0).length;
  const boards = new Set(checks.map(({ board }) => board)).size;
  const full = checks.length - refused - empty;
  return [
    ...lines,
    `${boards} boards, ${checks.length} panels: ${full} with data, ${empty} without, ${refused} refused`,
  ];
}
