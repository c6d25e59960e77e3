import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../run-weighbridge.ts';

/** Everything that a reader may copy from, the remarks of templates too. */
export const PAGES: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'xk6/README.md',
  ...filesUnder('examples').filter((file) => !/\.(ndjson|csv)$/.test(file)),
  ...filesUnder('docs').filter((file) => file.endsWith('.md')),
  ...filesUnder('deploy'),
];

const PROGRAM =
  'weighbridge|npm|npx|node|vitest|k6|go|gofmt|git|curl|wget|sh|bash|sed|awk|jq|cat|cd|cp|mv|ln|tar|unzip|echo|export|eval|source|wait|' +
  'script|sudo|systemctl|systemd-analyze|journalctl|docker|podman|kubectl|helm|prometheus|promtool|amtool|openssl|gpg|sha256sum|crontab|' +
  'python3?|pip3?|apt|apt-get|brew|mkdir|chmod|tsc|biome|actionlint|cosign|minisign|ssh-keygen|nohup';
const COMMAND = new RegExp(`^(?:[A-Z]\\w*=\\S* +)*(?:\\$\\(.+?\\) |(?:${PROGRAM})(?: |$))`);

/** A line for a shell, with nothing of the page around it. */
interface ShownCommand {
  readonly file: string;
  readonly command: string;
  /** Stands in a block of its own, to be copied whole; else within a sentence or a table. */
  readonly block: boolean;
}

/** What stands in a block and is no command: an output, or a file. */
interface ShownText {
  readonly file: string;
  readonly first: string;
}

export interface Shown {
  readonly commands: readonly ShownCommand[];
  readonly texts: readonly ShownText[];
}

/** Commands and other blocks of one page, in their order. */
export function shownOn(file: string, text = readFileSync(join(ROOT, file), 'utf8')): Shown {
  if (!file.endsWith('.md')) return { commands: remarkCommands(file, text), texts: [] };
  const parts = [...blocksOf(text)];
  const commands = parts.flatMap(({ block, lines }) =>
    commandLines(lines, block).map((command) => ({ file, command, block: block !== 'prose' })),
  );
  const texts = parts.flatMap(({ block, lines }) =>
    block === 'prose' || commandLines(lines, block).length > 0
      ? []
      : [{ file, first: lines.find((line) => line.trim() !== '')?.trim() ?? '' }],
  );
  return { commands, texts };
}

/** A remark of a template shows a command where nothing but the command stands on its line. */
function remarkCommands(file: string, text: string): readonly ShownCommand[] {
  return [...text.matchAll(/^# {1,3}(.+)$/gm)].flatMap(([, line = '']) => {
    const command = line.replace(/, after .*$/, '');
    return COMMAND.test(command) ? [{ file, command, block: true }] : [];
  });
}

interface Part {
  /** The language of a fence, `indented` for a block of four spaces, `prose` for all else. */
  readonly block: string;
  readonly lines: readonly string[];
}

function* blocksOf(text: string): Generator<Part> {
  const lines = text.split('\n');
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const fence = /^( *)```(\w*)$/.exec(line);
    const from = at;
    if (fence !== null) {
      const [, margin = '', language = ''] = fence;
      const end = lines.indexOf(`${margin}\`\`\``, at + 1);
      if (end < 0) throw new Error(`a fence of no end: ${line}`);
      yield { block: language === '' ? 'plain' : language, lines: lines.slice(at + 1, end) };
      at = end + 1;
      continue;
    }
    const indented = /^ {4}/.test(line) && (lines[at - 1] ?? '') === '';
    at += 1;
    if (indented) while (/^ {4}/.test(lines[at] ?? '')) at += 1;
    yield { block: indented ? 'indented' : 'prose', lines: lines.slice(from, at) };
  }
}

function commandLines(lines: readonly string[], block: string): readonly string[] {
  if (block === 'prose')
    return lines
      .flatMap((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span))
      .filter((span) => COMMAND.test(span) && span.includes(' '));
  if (block === 'sh') return joined(lines).filter((line) => line !== '');
  if (block === 'indented') return joined(lines, /^ {8}/).filter((line) => COMMAND.test(line));
  if (block === 'text' || block === 'plain')
    return lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2));
  return [];
}

/** Lines as a shell has them: one that goes on, or that is set in beneath another, is one with it; remarks are gone. */
function joined(lines: readonly string[], beneath: RegExp | null = null): readonly string[] {
  const whole: string[] = [];
  let open = false;
  for (const line of lines) {
    const bare = line
      .trim()
      .replace(/ {2,}# .*$/, '')
      .replace(/ *\\$/, '');
    const last = open || beneath?.test(line) === true ? whole.pop() : undefined;
    whole.push(last === undefined ? bare : `${last} ${bare}`);
    open = line.endsWith('\\');
  }
  return whole;
}

function filesUnder(dir: string): string[] {
  return readdirSync(join(ROOT, dir), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort();
}
