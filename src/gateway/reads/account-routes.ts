import type { FastifyInstance } from 'fastify';
import { AMOUNT_SCALE, type PicoUsd } from '../../core/amount.ts';
import type { ServedAccount } from '../hooks/usage-hooks.ts';
import type { Gateway } from '../parts/gateway.ts';
import { authenticateAccount } from '../requests/authenticate.ts';
import { requestFaults } from '../requests/request-faults-of.ts';

export function accountRoutes(app: FastifyInstance, gateway: Gateway): void {
  app.get('/api/user/self', async (request) => {
    const { headers } = request;
    const account = authenticateAccount(gateway.registry, headers);
    const units = (amount: PicoUsd): number => quotaUnits(amount, gateway.quotaPerUsd);
    const right: ServedAccount = {
      quota: units(account.balance - account.reserved),
      used_quota: units(account.used),
      request_count: account.requests,
    };
    return {
      success: true,
      message: '',
      data: {
        id: account.id,
        username: `user${account.id}`,
        display_name: `User ${account.id}`,
        role: 1,
        status: 1,
        group: 'default',
        ...requestFaults(request).through(right, (hooks, figures) => hooks.account?.(figures)),
      },
    };
  });
}

/** Whole internal units, cut off. */
function quotaUnits(amount: PicoUsd, perUsd: number): number {
  return Number((amount * BigInt(perUsd)) / 10n ** BigInt(AMOUNT_SCALE));
}
