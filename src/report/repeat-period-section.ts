import type { AuditPeriod } from '../core/audit-period.ts';
import type { Result } from '../core/result.ts';
import { quoted, type RunPlace } from './repeat-section.ts';
import { type Section, table } from './report-document.ts';
import { toolVersion } from './tool-version.ts';

/** How to audit the same period again, or only render it; neither sends a paid call. */
export function repeatPeriodSection(
  period: AuditPeriod,
  result: Result,
  place: RunPlace = { out: null, name: period.run_id },
): Section {
  const folder = `${place.out === null ? '' : ` --out ${quoted(place.out)}`} --run ${quoted(place.name)}`;
  const keys = period.keys.length > 1 ? ' --key-file FILE …' : '';
  const times = `--from ${second(period.start)} --to ${second(period.end)}`;
  // Ledgers and records of files are named by whoever has them; the folder holds copies.
  const fromFiles = result.basis === 'ledger' || !URL.canParse(period.target.root);
  const commands = [
    '# this report again, from the folder: the same bytes',
    `weighbridge report${folder}`,
    ...(fromFiles
      ? []
      : [
          '# the same period read and judged again, for free, with the key in WEIGHBRIDGE_API_KEY_FILE',
          `weighbridge reconcile --target ${quoted(period.target.root)} ${times}${keys}`,
        ]),
  ];
  return {
    id: 'repeat',
    title: 'How to repeat it',
    blocks: [
      { type: 'code', text: commands.join('\n') },
      table(
        ['part', 'value'],
        [
          ['run', result.run_id],
          ['target', result.target],
          ['period', `${second(period.start)} until ${second(period.end)}, the end not inside`],
          ['keys (fingerprints)', period.keys.join(', ')],
          ['weighbridge', toolVersion(result.tool)],
        ],
      ),
    ],
  };
}

function second(instant: string): string {
  return instant.replace(/\.000Z$/, 'Z');
}
