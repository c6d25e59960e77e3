import type { Requirement } from './claims/requirement.ts';

/** What `checkCitations` looks at in a case. */
export interface Citing {
  readonly name: string;
  readonly requires: readonly string[];
}

const MOST_IDS = 3;

/** Everything that is wrong between requirements and the cases that cite them, one sentence each. */
export function checkCitations(requirements: readonly Requirement[], cases: readonly Citing[]): string[] {
  const ids = requirements.map(({ id }) => id);
  const cited = new Set(cases.flatMap(({ requires }) => requires));
  return [
    ...twice(ids).map((id) => `requirement ${id} stands twice`),
    ...twice(cases.map(({ name }) => name)).map((name) => `case "${name}" stands twice`),
    ...ids.filter((id) => !cited.has(id)).map((id) => `requirement ${id} has no case`),
    ...cases.flatMap(({ name, requires }) => [
      ...requires
        .filter((id) => !ids.includes(id))
        .map((id) => `case "${name}" cites ${id}, which does not exist`),
      ...(requires.length >= 1 && requires.length <= MOST_IDS
        ? []
        : [`case "${name}" cites ${requires.length} requirements, expected 1 to ${MOST_IDS}`]),
    ]),
  ];
}

function twice(texts: readonly string[]): string[] {
  return texts.filter((text, index) => texts.indexOf(text) !== index);
}
