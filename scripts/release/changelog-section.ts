/** The section of one version, as release notes. */
export interface ChangelogSection {
  readonly version: string;
  readonly date: string;
  readonly notes: string;
}

const HEADING = /^## (\d+\.\d+\.\d+), (\d{4}-\d{2}-\d{2})$/;

/** The newest section that has a version; null where there is none. Links lead to where the tag of the version leads. */
export function newestSection(changelog: string): ChangelogSection | null {
  const lines = changelog.split('\n');
  const from = lines.findIndex((line) => HEADING.test(line));
  const [, version, date] = HEADING.exec(lines[from] ?? '') ?? [];
  if (version === undefined || date === undefined) return null;
  const length = lines.slice(from + 1).findIndex((line) => line.startsWith('## '));
  const body = lines.slice(from + 1, length < 0 ? undefined : from + 1 + length);
  return { version, date, notes: body.join('\n').trim() };
}

/** What stands under `## Unreleased`, trimmed; empty where there is nothing. */
export function unreleased(changelog: string): string {
  return /^## Unreleased\n(.*?)(?=^## |$(?![\s\S]))/ms.exec(changelog)?.[1]?.trim() ?? '';
}
