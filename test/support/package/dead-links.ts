import { posix } from 'node:path';

/** The files of a package, by their paths in it, and what stands in them. */
export interface PackageFiles {
  readonly paths: ReadonlySet<string>;
  read(path: string): string;
}

interface DeadLink {
  readonly file: string;
  readonly link: string;
}

/** Links of pages that lead to nothing in the package. */
export function deadLinks({ paths, read }: PackageFiles): readonly DeadLink[] {
  const folders = foldersOf(paths);
  return [...paths]
    .filter((file) => file.endsWith('.md') && !file.startsWith('reports/'))
    .flatMap((file) =>
      [...withoutCode(read(file)).matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, link = '']) => link)
        .filter((link) => !/^(?:[a-z]+:|#)/.test(link))
        .map((link) => ({ file, link, to: posix.join(posix.dirname(file), link.replace(/#.*$/, '')) })),
    )
    .filter(({ to }) => !paths.has(to) && !folders.has(to.replace(/\/$/, '')))
    .map(({ file, link }) => ({ file, link }));
}

/** Files of ours that a text names by their path from the root. */
const NAMED = /(?<![\w/.@${}-])(?:docs|dashboards|deploy|examples|scenarios|xk6)\/[\w./-]*\w\.[a-z]\w*/g;

/** Paths that messages, comments of templates and pages name and that are not in the package. */
export function deadPaths(
  { paths, read }: PackageFiles,
  texts: Iterable<string>,
): readonly { readonly file: string; readonly path: string }[] {
  return [...texts].flatMap((file) =>
    [...read(file).matchAll(NAMED)].map(([path]) => ({ file, path })).filter(({ path }) => !paths.has(path)),
  );
}

function foldersOf(paths: ReadonlySet<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths)
    for (let at = posix.dirname(path); at !== '.'; at = posix.dirname(at)) folders.add(at);
  return folders;
}

function withoutCode(text: string): string {
  return text.replace(/```.*?```/gs, '').replace(/`[^`\n]+`/g, '');
}
