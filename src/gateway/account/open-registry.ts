import type { PicoUsd } from '../../core/amount.ts';
import type { ApiKey } from './account.ts';
import { AccountRegistry } from './account-registry.ts';

/** 1,000,000,000 USD in 10⁻¹² USD: no run comes near it, and figures of it stay exact. */
export const WITHOUT_LIMIT: PicoUsd = 10n ** 21n;

/** Takes every key, as a gateway does that stands behind another one: an unknown key gets an account of its own. */
export class OpenRegistry extends AccountRegistry {
  override key(text: string): ApiKey | null {
    const known = super.key(text);
    if (known !== null) return known;
    const { account } = this.addAccount({ balance: WITHOUT_LIMIT });
    return this.addKey({ account, text }).key;
  }
}
