import { EXIT } from '../exit-code.ts';
import type { ErrorEntry } from './error-entry.ts';

/** Errors of the embedded gateway. */
export const GATEWAY_ERRORS = {
  port_taken: {
    means: 'The embedded gateway cannot listen on its port.',
    why: 'Another program uses the port.',
    fix: 'Give another port with `--port`, or `--port 0` for any free port.',
  },
  file_unwritable: {
    means: 'The journal cannot be written.',
    why: 'Its folder does not exist or cannot be written.',
    fix: 'Correct the path of `--journal`.',
  },
  file_unreadable: {
    means: 'A file that a flag names cannot be read.',
    why: 'The path is wrong, or you have no permission to read it.',
    fix: 'Correct the path of the flag in the message.',
  },
  unknown_scenario: {
    means: 'There is no fault scenario with this name.',
    why: 'The embedded gateway commits only the faults that it knows.',
    fix: 'Run `weighbridge gateway --list-faults`. It lists every name.',
  },
  latency_unknown: {
    means: '`--latency` is neither a known name nor a file.',
    why: 'It decides how fast the embedded gateway answers.',
    fix: 'Give one of the names in the message, or a path with a dot or a slash, such as `latency.yaml`.',
  },
  quirk_unknown: {
    means: 'There is no quirk with this name.',
    why: 'A quirk changes how the embedded gateway answers.',
    fix: 'Run `gateway --help`. It lists every quirk.',
  },
  quirk_invalid: {
    means: 'A quirk cannot be used as given.',
    why: 'Quirks belong to a server without a bill, or to one dialect.',
    fix: 'Give `--plain` or `--dialect NAME` together with `--quirks`, and correct the value.',
  },
  data_in_use: {
    means: 'Another embedded gateway uses the folder of `--data`.',
    why: 'Two gateways would overwrite the accounts of each other.',
    fix: 'Stop the other gateway, or give another folder.',
  },
  data_unusable: {
    means: 'The folder of `--data` cannot be used.',
    why: 'It is a file, or it cannot be written.',
    fix: 'Correct the path of `--data`.',
  },
  data_version: {
    means: 'Another version of Weighbridge wrote the folder of `--data`.',
    why: 'This version cannot read its accounts safely.',
    fix: 'Use the version that wrote it, or give another folder.',
  },
  data_corrupt: {
    means: 'A file in the folder of `--data` is damaged.',
    why: 'The accounts of the gateway are in it, so it is never guessed.',
    fix: 'Restore the file from a copy, or give another folder.',
  },
  data_unwritable: {
    exit: EXIT.internal,
    means: 'The embedded gateway could not write its accounts.',
    why: 'The disk is full, or the permissions were changed while it was running.',
    fix: 'Free some space or correct the permissions, and start it again. No settled charge is lost.',
  },
  journal_unwritable: {
    exit: EXIT.internal,
    means: 'The embedded gateway could not write its journal.',
    why: 'The disk is full, or the permissions were changed while it was running.',
    fix: 'Free some space or correct the permissions, and start it again.',
  },
} satisfies Record<string, ErrorEntry>;
