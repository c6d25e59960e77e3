/** Where the project is published, by `repository.url` of package.json: the one place that says so. */
export interface Repository {
  readonly url: string;
  /** Path of the extension as a Go module, in a repository of its own beside this one; null until this one has an address. */
  readonly module: string | null;
}

/** A name under `.invalid` leads nowhere, by RFC 2606: so says package.json that the project has no address yet. */
export function repositoryOf(url: string): Repository {
  const address = new URL(url.replace(/^git\+/, ''));
  const known = !address.hostname.endsWith('.invalid');
  const owner = address.pathname.split('/').slice(0, -1).join('/');
  return { url: address.href, module: known ? `${address.hostname}${owner}/xk6-weighbridge` : null };
}
