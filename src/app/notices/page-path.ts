import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PAGE = /(?<![\w/.-])docs\/[\w/-]+\.md\b/g;

/** Names our pages by paths that open from where the user stands: those of a package are not in the user's folder. */
export function withPagePaths(text: string, cwd = process.cwd(), root = ROOT): string {
  return text.replaceAll(PAGE, (page) => {
    const path = join(root, page);
    if (!existsSync(path)) return page;
    const near = relative(cwd, path);
    return near.startsWith('..') ? path : near;
  });
}
