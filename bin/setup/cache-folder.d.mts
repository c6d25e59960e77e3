type Env = Readonly<Record<string, string | undefined>>;

export function cacheFolder(root: string, env: Env): string;
export function isClone(root: string): boolean;
