import { stringify } from 'yaml';
import { configDocument, trafficDocument } from './config-document.ts';
import type { ResolvedConfig } from './resolved-config.ts';

const HEAD = `# The configuration of this run with every value set, those of flags and environment included.
# \`weighbridge run --config <this file>\`, or audit, plans the same calls, with new markers in their prompts.
# It holds no secret: the key comes from WEIGHBRIDGE_API_KEY or WEIGHBRIDGE_API_KEY_FILE.
`;

const DEFAULT_TRAFFIC = `# No traffic was configured, so it is the default plan's. On a gateway of your own only its text kinds run, in the
# small amount that needs no permission; a list of your own here is what asks for more. Without rate_scale it is:
`;

/** A valid weighbridge.yaml that loads to the same values; without the nonce, secrets and paths of this machine. */
export function formatConfig(config: ResolvedConfig): string {
  const note = config.default_traffic
    ? `${DEFAULT_TRAFFIC}${commented(yamlText({ traffic: trafficDocument(config) }))}`
    : '';
  return `${HEAD}${note}${yamlText(configDocument(config))}`;
}

/** The part of it that flags of the calls stand for, as lines. */
export function formatLine(config: ResolvedConfig): readonly string[] {
  const { version, target, duration, spend } = configDocument(config);
  const traffic = trafficDocument(config);
  const part = { version, target, duration, traffic, ...(spend === undefined ? {} : { spend }) };
  return yamlText(part).trimEnd().split('\n');
}

/** Lines are never folded, so that a long model id stands on one. */
function yamlText(value: unknown): string {
  return stringify(value, { lineWidth: 0 });
}

function commented(text: string): string {
  return text.replace(/^(?=.)/gm, '#   ');
}
