import type { Finding } from '../../contracts/finding.ts';

/** Without those over many rows, which stand beneath them one by one. */
export function rowFindings(findings: readonly Finding[]): readonly Finding[] {
  const parents = new Set(findings.map(({ group }) => group));
  return findings.filter(({ id }) => !parents.has(id));
}

/** The findings of rows whose deltas are a part of the difference: final, and about what was or should have been charged. */
export function differenceFindings(findings: readonly Finding[]): readonly Finding[] {
  return rowFindings(findings).filter(
    ({ bridge, provisional, delta_exact }) =>
      !provisional && delta_exact !== null && (bridge === 'settled' || bridge === 'absent'),
  );
}
