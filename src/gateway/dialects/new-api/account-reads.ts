import type { FastifyInstance } from 'fastify';
import type { Account } from '../../account/account.ts';
import type { ServedAccount } from '../../hooks/usage-hooks.ts';
import type { Gateway } from '../../parts/gateway.ts';
import { requestFaults } from '../../requests/request-faults-of.ts';
import { requestKey } from '../../requests/request-key.ts';
import { requireKey } from '../../requests/require-key.ts';
import type { VideoWork } from '../../tasks/priced-work.ts';
import type { Task } from '../../tasks/task.ts';
import { accountOf, keysOfAccount } from './account-of.ts';
import { CHARGE_ROW, logRows, quotaUnitsOf, tokenNameOf } from './log-rows.ts';

/** The account and its key in units, the dashboards in dollars and cents, and the tasks. */
export function accountReads(app: FastifyInstance, gateway: Gateway): void {
  const { registry, videoTasks } = gateway;
  app.get('/api/user/self', async (request) => {
    const account = accountOf(registry, request.headers);
    const right = figuresOf(gateway, account);
    const told = requestFaults(request).through(right, (hooks, figures) => hooks.account?.(figures));
    return { success: true, message: '', data: { ...userOf(account), ...told } };
  });
  app.get('/api/task/self', async (request) => {
    const account = accountOf(registry, request.headers);
    const items = videoTasks.ofAccount(account.id).map(taskOf);
    return {
      success: true,
      message: '',
      data: { page: 1, page_size: items.length, total: items.length, items },
    };
  });
  const onRequest = requireKey(gateway);
  app.get('/api/usage/token', { onRequest }, async (request) => {
    const key = requestKey(request);
    const [granted, used] = [quotaUnitsOf(key.limit ?? 0n), quotaUnitsOf(key.spent + key.reserved)];
    return {
      code: true,
      message: 'ok',
      data: {
        object: 'token_usage',
        name: tokenNameOf(key),
        total_granted: granted,
        total_used: used,
        // Below zero for a key without a limit.
        total_available: granted - used,
        unlimited_quota: key.limit === null,
        model_limits: Object.fromEntries([...(key.models ?? [])].map((id) => [id, true])),
        model_limits_enabled: key.models !== null,
        expires_at: 0,
      },
    };
  });
  app.get('/v1/dashboard/billing/usage', { onRequest }, async (request) => {
    const { spent, reserved } = requestKey(request);
    return { object: 'list', total_usage: (quotaUnitsOf(spent + reserved) / 500_000) * 100 };
  });
  app.get('/v1/dashboard/billing/subscription', { onRequest }, async (request) => {
    const { limit } = requestKey(request);
    const usd = limit === null ? UNLIMITED_USD : quotaUnitsOf(limit) / 500_000;
    return {
      object: 'billing_subscription',
      has_payment_method: true,
      soft_limit_usd: usd,
      hard_limit_usd: usd,
      system_hard_limit_usd: usd,
      access_until: 0,
    };
  });
}

const UNLIMITED_USD = 100_000_000;

/** `used_quota` keeps what a failed task got back, and `request_count` its call. */
function figuresOf(gateway: Gateway, account: Account): ServedAccount {
  const rows = logRows(gateway, keysOfAccount(gateway.registry, account)).filter(
    ({ type }) => type === CHARGE_ROW,
  );
  return {
    quota: quotaUnitsOf(account.balance - account.reserved),
    used_quota: rows.reduce((sum, { quota }) => sum + quota, 0),
    request_count: rows.filter(({ quota }) => quota !== 0).length,
  };
}

function userOf({ id }: Account): object {
  return {
    id,
    username: `user${id}`,
    password: '',
    original_password: '',
    display_name: `User ${id}`,
    role: 1,
    status: 1,
    email: '',
    github_id: '',
    discord_id: '',
    oidc_id: '',
    wechat_id: '',
    telegram_id: '',
    verification_code: '',
    access_token: null,
    group: 'default',
    aff_code: '',
    aff_count: 0,
    aff_quota: 0,
    aff_history_quota: 0,
    inviter_id: 0,
    linux_do_id: '',
    setting: '',
    remark: '',
  };
}

const TASK_WORDS: Readonly<Record<string, string>> = {
  queued: 'QUEUED',
  in_progress: 'IN_PROGRESS',
  completed: 'SUCCESS',
  failed: 'FAILURE',
};

/** Its quota stays that of the charge, and no request is named. */
function taskOf(task: Task<VideoWork>): object {
  const { id, work, status, error } = task;
  return {
    task_id: id,
    platform: '1',
    user_id: task.accountId,
    quota: quotaUnitsOf(work.price),
    action: 'generate',
    status: TASK_WORDS[status],
    fail_reason: error?.message ?? '',
    result_url: error?.message ?? '',
    submit_time: task.createdAt,
    start_time: task.startedAt ?? 0,
    finish_time: task.completedAt ?? 0,
    progress: status === 'completed' || status === 'failed' ? '100%' : status === 'queued' ? '0%' : '20%',
    properties: { input: work.request.prompt, origin_model_name: work.request.model },
    data: { id: `provider_${id}`, status, seconds: String(work.request.seconds), size: work.request.size },
  };
}
