import { type ListenAddress, parseListenAddress } from '../../../config/listen-address.ts';
import { WeighbridgeError } from '../../../contracts/failure.ts';

/** `--ui` and `--ui HOST:PORT`: on this machine alone unless said otherwise; null without the flag. */
export function pageAddress(flag: string | true | undefined): ListenAddress | null {
  if (flag === undefined) return null;
  if (flag === true) return { host: '127.0.0.1', port: 0 };
  const address = parseListenAddress(flag);
  if (address !== null) return address;
  throw new WeighbridgeError({
    code: 'ui_address_invalid',
    message: `expected an address and a port, such as 127.0.0.1:8080, found "${flag}"`,
    hint: '--ui alone takes 127.0.0.1 and a free port; ":8080" means every address of this machine',
  });
}
