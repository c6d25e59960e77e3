/** What `--state` is where it is not given. */
export const DEFAULT_STATE = '.weighbridge';

/**
 * The name of a target's folder under the state: its host, port and path, so that every command that is given the same
 * gateway finds the same folder, by whatever name or in whichever form of the address. `:` and `/` become `_`; what two
 * addresses could then share is written in hexadecimal, so that no two gateways have one name. `root` is normalised
 * (`parseTarget`). http and https are one gateway.
 */
export function targetFolderName(root: string): string {
  const address = root.replace(/^[a-z]+:\/\//i, '').replace(/\/+$/, '');
  const [host = '', ...path] = address.split('/');
  const segments = path.map((segment, index) => {
    const plain = segment.replace(/[^a-z0-9.-]/g, hexOf);
    // Behind a host without a port it would pass for one.
    return index === 0 && /^\d+$/.test(plain) ? `${hexOf(plain)}${plain.slice(1)}` : plain;
  });
  const port = /:(\d+)$/.exec(host);
  const name = (port === null ? host : host.slice(0, port.index)).replace(/[^a-z0-9.-]/g, hexOf);
  const whole = [name, ...(port === null ? [] : [port[1] ?? '']), ...segments].join('_');
  // No name of dots alone may lead out of the folder.
  return whole.replace(/^\.+/, (dots) => [...dots].map(hexOf).join(''));
}

/** Of one of several targets at the same address, which have keys and budgets of their own: the first has none. */
export function furtherFolderName(root: string, name: string): string {
  return `${targetFolderName(root)}+${name}`;
}

function hexOf(text: string): string {
  return `=${text.charCodeAt(0).toString(16)}`;
}
