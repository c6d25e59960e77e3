import type { AlertBlame, AlertSeverity, ListedAlert } from './alert-rule.ts';
import { ALERT_RULES } from './alert-rules.ts';
import { LOAD_RUN_ACTIVE } from './load-hold.ts';
import { RECORDING_RULES } from './recording-rules.ts';

const SEVERITY_WORDS: Readonly<Record<AlertSeverity, string>> = {
  page: 'wakes somebody',
  ticket: 'waits for working hours',
  none: 'asks nothing of anybody',
};

const BLAME_WORDS: Readonly<Record<AlertBlame, string>> = {
  gateway: 'the gateway',
  upstream: 'the channel behind it',
  network: 'the way to it',
  account: 'our account',
  probe: 'our own probes or their configuration',
};

/** docs/runbooks.md: the annotation of each alert leads to its heading here. */
export function renderRunbooks(): string {
  return `# Runbooks

GENERATED from src/dashboards/rules by \`node scripts/generate-dashboards.ts\`. The rules are in [dashboards/rules](../dashboards/rules/weighbridge.rules.yml);
how to load them stands in [dashboards.md](dashboards.md).

An alert of severity \`page\` ${SEVERITY_WORDS.page}, one of severity \`ticket\` ${SEVERITY_WORDS.ticket}. Alerts marked *held* are silent for a target while a load run
of ours is active on it and for half an hour beyond, since the run itself could cause them; the others are facts that no load brings about.

| alert | severity | after | held | in a line |
| --- | --- | --- | --- | --- |
${ALERT_RULES.map(row).join('\n')}

## Records

| record | meaning |
| --- | --- |
${[...RECORDING_RULES, LOAD_RUN_ACTIVE].map(({ record, meaning }) => `| \`${record}\` | ${meaning} |`).join('\n')}

${ALERT_RULES.map(section).join('\n')}`;
}

function row({ name, severity, for: after, held, summary }: ListedAlert): string {
  const plain = summary.replace(/\{\{ \$labels\.(\w+) \}\}/g, '‹$1›');
  return `| [${name}](#${name.toLowerCase()}) | ${severity} | ${after ?? 'at once'} | ${held ? 'yes' : 'no'} | ${plain} |`;
}

function section({ name, meaning, severity, blame, first }: ListedAlert): string {
  const whom = blame.length === 0 ? 'nobody' : blame.map((one) => BLAME_WORDS[one]).join(', or ');
  return `## ${name}

${meaning} It ${SEVERITY_WORDS[severity]}.

**Who is to blame:** ${whom}.

**What to do first:**

${first.map((step, index) => `${index + 1}. ${step}`).join('\n')}
`;
}
