import { z } from 'zod';

const severities = z.object({
  low: z.number(),
  moderate: z.number(),
  high: z.number(),
  critical: z.number(),
});

const answered = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string(), range: z.string() })),
  metadata: z.object({ vulnerabilities: severities }),
});

const unanswered = z.object({ message: z.string() });

/** What `npm audit --json` found, for people. Failed where something is high or critical; an audit that was not answered is not. */
export function readAudit(
  stdout: string,
  stderr: string,
): { readonly lines: readonly string[]; readonly failed: boolean } {
  const found = jsonOf(stdout);
  const audit = answered.safeParse(found);
  if (!audit.success) {
    const why = unanswered.safeParse(found).data?.message ?? stderr.trim().split('\n')[0] ?? '';
    return { lines: [`npm audit: not run: ${why === '' ? 'npm gave no answer' : why}`], failed: false };
  }
  const { low, moderate, high, critical } = audit.data.metadata.vulnerabilities;
  const named = Object.entries(audit.data.vulnerabilities).map(
    ([name, { severity, range }]) => `  ${severity}: ${name} ${range}`,
  );
  return {
    lines: [`npm audit: ${critical} critical, ${high} high, ${moderate} moderate, ${low} low`, ...named],
    failed: critical + high > 0,
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
