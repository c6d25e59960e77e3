import { EXIT } from '../exit-code.ts';
import type { ErrorEntry } from './error-entry.ts';

/** Errors that the target causes before a run can begin, and those of money and of folders that runs share. */
export const TARGET_ERRORS = {
  target_unreachable: {
    exit: EXIT.target,
    means: 'The target gave no usable answer.',
    why: 'The address is wrong, the server does not answer, or the connection is not secure.',
    fix: 'Check the address, the network and the certificate. `weighbridge doctor` tests each step.',
  },
  credentials_refused: {
    exit: EXIT.target,
    means: 'The target refused the key or token.',
    why: 'The credential is wrong, expired, or has no right to this read.',
    fix: 'Check the credential and the account. `weighbridge doctor` shows what the target accepts.',
  },
  no_bill: {
    means: 'The target serves no usage records, so there is no bill to audit.',
    why: 'An audit compares calls with usage records.',
    fix: 'Use `weighbridge run` to measure without a bill. If the target has usage records, check its address.',
  },
  book_not_read: {
    exit: EXIT.inconclusive,
    means: 'The price list of the target cannot be read in full.',
    why: '`--cover prices` plans one call for every price, so it needs all prices.',
    fix: 'Name your own price list as `billing.book.file`, or a mapping as `billing.book.mapping`.',
  },
  target_in_use: {
    means: 'Another run of Weighbridge puts load on this target now.',
    why: 'Two loads at once would spoil the measurements of both.',
    fix: 'Wait until the other run ends.',
  },
  budget_exhausted: {
    exit: EXIT.spendCap,
    means: 'The budget of the target has no room for this run.',
    why: 'All commands share the budget, and a run reserves its whole cap before it starts.',
    fix: 'Give a smaller `--max-spend-usd`, wait until the time in the message, or raise the budget.',
  },
  run_locked: {
    means: 'Another command works in the folder of this run.',
    why: 'Two commands would overwrite the files of each other.',
    fix: 'Wait until the other command ends. After a crash on another host, remove the file in the message.',
  },
  state_locked: {
    means: 'Another command writes the state of this target.',
    why: 'Two commands would overwrite the state of each other.',
    fix: 'Wait until the other command ends. After a crash on another host, remove the file in the message.',
  },
  state_in_use: {
    means: 'Another command or daemon uses the state folder.',
    why: 'Only one daemon may write the state of a target.',
    fix: 'Stop the other one, or give each its own `--state`.',
  },
  state_corrupt: {
    means: 'A file of the state folder is damaged.',
    why: 'The file lists reserved money and open tasks, so it is never guessed.',
    fix: 'Restore the file from a copy. If you move it away, its reserves and open tasks are forgotten.',
  },
  state_version: {
    means: 'Another version of Weighbridge wrote the state folder.',
    why: 'This version cannot read the file safely.',
    fix: 'Use the version that wrote it, or give another folder with `--state`.',
  },
  state_unwritable: {
    means: 'The state folder cannot be written.',
    why: 'Paid calls start only after their cost is reserved in this folder.',
    fix: 'Free some space, correct the permissions, or give another folder with `--state`.',
  },
  task_known: {
    exit: EXIT.internal,
    means: 'A probe tried to create a paid task that already exists.',
    why: 'The task may have been charged, so it is not created twice.',
    fix: 'Please report the error. The daemon goes on with the next probe.',
  },
  embedded_target: {
    exit: EXIT.internal,
    means: 'The embedded gateway gave an address or an answer that cannot be used.',
    why: 'This is a bug in Weighbridge.',
    fix: 'Please report the error with all lines that were printed.',
  },
  embedded_gateway_gone: {
    exit: EXIT.target,
    means: 'The run used the embedded gateway, which ended with the run.',
    why: 'Some usage records are still unread, and no server has them any more.',
    fix: 'Run `weighbridge audit` without interrupting it. Or start `weighbridge gateway` yourself and give it as `--target`.',
  },
  gateway_not_started: {
    exit: EXIT.internal,
    means: 'The embedded gateway did not start.',
    why: 'Its process ended before it could serve calls.',
    fix: 'Run `weighbridge gateway` alone. It prints the reason.',
  },
} satisfies Record<string, ErrorEntry>;
