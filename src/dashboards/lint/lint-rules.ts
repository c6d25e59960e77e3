import type { LintRule } from './lint-rule.ts';
import { PANEL_RULES } from './panel-rules.ts';
import { TARGET_RULES } from './target-rules.ts';
import { TEMPLATE_RULES } from './template-rules.ts';

/**
 * The rules of Grafana's dashboard-linter, its two about logs left out. Its binary is no package that npm installs; a
 * difference is that load boards are chosen by `testid`, for a load run is pushed and has no scrape job.
 */
export const LINT_RULES: readonly LintRule[] = [
  ...TEMPLATE_RULES,
  ...PANEL_RULES,
  ...TARGET_RULES,
  {
    name: 'uneditable-dashboard-rule',
    check: ({ editable }) => (editable ? ['a dashboard that is generated is not edited by hand'] : []),
  },
];
