import { stringify } from 'yaml';
import { type RuleOptions, ruleGroups } from './rule-groups.ts';

/** The text of a rules file for Prometheus. */
export function renderRules(options: RuleOptions): string {
  return `# GENERATED from src/dashboards by scripts/generate-dashboards.ts. What each alert asks of you: docs/runbooks.md
${stringify({ groups: ruleGroups(options) }, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}
