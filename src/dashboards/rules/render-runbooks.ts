import type { AlertBlame, AlertSeverity, ListedAlert } from './alert-rule.ts';
import { ALERT_RULES } from './alert-rules.ts';
import { ALL_RECORDS } from './all-records.ts';

const SEVERITY_WORDS: Readonly<Record<AlertSeverity, string>> = {
  page: 'pages somebody at once',
  ticket: 'can wait for working hours',
  none: 'needs no action',
};

const BLAME_WORDS: Readonly<Record<AlertBlame, string>> = {
  gateway: 'the gateway',
  upstream: 'the channel behind the gateway',
  network: 'the network',
  account: 'your account',
  probe: 'the probes or their configuration',
};

/** docs/runbooks.md: the annotation of each alert leads to its heading here. */
export function renderRunbooks(): string {
  return `# Runbooks

GENERATED from src/dashboards/rules by \`node scripts/generate-dashboards.ts\`. The rules are in [dashboards/rules](../dashboards/rules/weighbridge.rules.yml);
[dashboards.md](dashboards.md) says how to load them.

An alert of severity \`page\` ${SEVERITY_WORDS.page}. One of severity \`ticket\` ${SEVERITY_WORDS.ticket}.

- **silent in a load run**: Weighbridge's own load run on the target, and half an hour after it, silences the alert, because the run could cause it.
- **silent in an outage**: while [WeighbridgeTargetDown](#weighbridgetargetdown) holds for the target, and half an hour after it, the alert is silent. One outage is one alert.

| alert | severity | fires after | silent in | summary |
| --- | --- | --- | --- | --- |
${ALERT_RULES.map(row).join('\n')}

## Records

| record | meaning |
| --- | --- |
${ALL_RECORDS.map(({ record, meaning }) => `| \`${record}\` | ${meaning} |`).join('\n')}

${ALERT_RULES.map(section).join('\n')}`;
}

function row({ name, severity, for: after, held, partOfOutage, summary }: ListedAlert): string {
  const silent = [...(held ? ['load run'] : []), ...(partOfOutage ? ['outage'] : [])];
  const plain = summary.replace(/\{\{ \$labels\.(\w+) \}\}/g, '‹$1›');
  return `| [${name}](#${name.toLowerCase()}) | ${severity} | ${after ?? 'at once'} | ${silent.join(', ') || '–'} | ${plain} |`;
}

function section({ name, meaning, severity, blame, first }: ListedAlert): string {
  const whom = blame.length === 0 ? 'none' : blame.map((one) => BLAME_WORDS[one]).join(', or ');
  return `## ${name}

${meaning} This alert ${SEVERITY_WORDS[severity]}.

**Likely cause:** ${whom}.

**What to do first:**

${first.map((step, index) => `${index + 1}. ${step}`).join('\n')}
`;
}
