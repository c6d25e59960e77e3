import { EXIT } from '../exit-code.ts';
import type { ErrorEntry } from './error-entry.ts';

/** Errors of set-up and of the load engine. */
export const ENGINE_ERRORS = {
  node_too_old: {
    means: 'This version of Node is too old. Weighbridge needs Node 22.19 or newer.',
    why: 'Older versions of Node lack functions that Weighbridge uses.',
    fix: 'Install Node 24 from <https://nodejs.org>. In a clone, `npm run setup` installs it for you.',
  },
  not_set_up: {
    means: 'This clone has no installed dependencies.',
    why: 'A clone contains only sources.',
    fix: 'Run `npm run setup` in the clone.',
  },
  setup_failed: {
    means: 'Set-up could not finish.',
    why: 'A tool is missing, or a download or a build failed.',
    fix: 'Read the message, correct the cause, and run `npm run setup` again. Finished steps are not repeated.',
  },
  k6_not_found: {
    means: 'There is no load engine.',
    why: '`audit` and `run` make their calls with k6 and the Weighbridge extension.',
    fix: 'Run `npm run setup` in a clone, install the engine package, or set `WEIGHBRIDGE_K6`. [Installing](install.md#the-load-engine) describes each way.',
  },
  k6_not_built: {
    means: 'The load engine could not be built.',
    why: 'The build needs Go and a folder that can be written.',
    fix: 'Install Go or the engine package, or set `WEIGHBRIDGE_K6` to a ready binary. `plan`, `reconcile`, `report` and `probe` work without it.',
  },
  k6_not_fetched: {
    means: 'The load engine could not be downloaded from the address in `WEIGHBRIDGE_K6`.',
    why: 'The server did not answer, or the file has another SHA-256.',
    fix: 'Correct the address or `WEIGHBRIDGE_K6_SHA256`. Or download the file yourself and give its path.',
  },
  k6_altered: {
    means: 'The load engine has another SHA-256 than expected, so it was not started.',
    why: 'The load engine gets your API key, so only a known binary is started.',
    fix: 'Install the engine package of this version, or give the SHA-256 of the file that you trust.',
  },
  k6_address_invalid: {
    means: '`WEIGHBRIDGE_K6` is neither a path nor a plain https address.',
    why: 'A binary is downloaded only over a secure connection, without user and password.',
    fix: 'Give `https://host/path/k6`, or download the file and give its path.',
  },
  k6_hash_missing: {
    means: '`WEIGHBRIDGE_K6` is an address, and `WEIGHBRIDGE_K6_SHA256` is not set.',
    why: 'A downloaded binary is started only when its SHA-256 is known.',
    fix: 'Set `WEIGHBRIDGE_K6_SHA256` to the value that the builder of the file published.',
  },
  k6_hash_invalid: {
    means: '`WEIGHBRIDGE_K6_SHA256` is not a SHA-256.',
    why: 'A SHA-256 is 64 hexadecimal digits.',
    fix: 'Give the value that `sha256sum` prints for the file.',
  },
  k6_not_started: {
    exit: EXIT.internal,
    means: 'The load engine could not be started.',
    why: 'The binary is not executable, or it was built for another machine.',
    fix: 'Run `weighbridge doctor`, or set `WEIGHBRIDGE_K6` to a binary for this machine.',
  },
  k6_failed: {
    exit: EXIT.internal,
    means: 'The load engine stopped before the run was complete.',
    why: 'It was killed, ran out of memory, or failed.',
    fix: 'Read run.log in the folder of the run. The report covers all calls up to that moment.',
  },
  scenarios_not_bundled: {
    exit: EXIT.internal,
    means: 'The scenario scripts could not be bundled for the load engine.',
    why: 'A script in `scenarios/` has an error, or esbuild is missing.',
    fix: 'Correct the script, or run `npm run setup` to install esbuild.',
  },
  run_keys_missing: {
    means: 'The command did not get all keys that the run used.',
    why: 'Each key can read only its own usage records.',
    fix: 'Give the same `--key-file` flags as for the run.',
  },
  plan_unreadable: {
    means: 'A plan.json cannot be read.',
    why: 'The plan says which calls the run made and what they may cost.',
    fix: 'Use the plan.json that the run wrote, or make a new one with `weighbridge plan --out FILE`.',
  },
  plan_corrupt: {
    means: 'The plan.json of the run is damaged.',
    why: 'The plan says which calls the run made and what they may cost.',
    fix: 'Restore the file as the run wrote it.',
  },
} satisfies Record<string, ErrorEntry>;
