import type { ErrorEntry } from './error-entry.ts';

/** Errors of weighbridge.yaml, of the plan made from it, and of credentials. */
export const CONFIG_ERRORS = {
  config_invalid: {
    means: 'The configuration, a flag or a variable has a value that is not allowed.',
    why: 'Weighbridge checks the whole configuration before it sends anything.',
    fix: 'Correct each line of the message. It gives the file, line, column and rule. [Configuration](config.md) describes every key.',
  },
  config_missing: {
    means: 'The configuration file does not exist or cannot be read.',
    why: 'The command would otherwise use settings that you did not choose.',
    fix: 'Give the path of the file with `--config`. Leave the flag out for the default plan.',
  },
  config_exists: {
    means: '`init` would write to a file that already exists.',
    why: 'Weighbridge never overwrites a file that you may have edited.',
    fix: 'Give `--out` another name, or give `--force` to replace the file.',
  },
  config_not_written: {
    means: 'The new configuration could not be written.',
    why: 'The folder does not exist or cannot be written.',
    fix: 'Name a file in an existing folder that you can write to.',
  },
  file_exists: {
    means: '`--save` names a file that already exists.',
    why: 'Weighbridge never overwrites a file that you may have edited.',
    fix: 'Name another file, such as `load.yaml`.',
  },
  plan_not_written: {
    means: 'The plan could not be written to the path of `--out`.',
    why: 'The path is a folder, or its folder does not exist or cannot be written.',
    fix: 'Name a file such as `plan.json` in a folder that you can write to.',
  },
  credential_missing: {
    means: 'A key, token or user id that the command needs is not set.',
    why: 'The gateway serves calls and usage records only to the owner of a key.',
    fix: 'Set `WEIGHBRIDGE_API_KEY`, or set `WEIGHBRIDGE_API_KEY_FILE` to the path of a file. Set the other variables that the message names the same way.',
  },
  credential_malformed: {
    means: 'A credential contains a character that no HTTP header can carry, or it is empty.',
    why: 'A key in this form would be refused by every server.',
    fix: 'Look for a line break or a space at the end of the variable or file.',
  },
  key_file_without_target: {
    means: '`--key-file` was given without a target.',
    why: 'The embedded gateway makes its own key and accepts no other.',
    fix: 'Give the target with `--target`, or leave out `--key-file`.',
  },
  target_missing: {
    means: 'The command needs the address of a gateway, and none is configured.',
    why: 'The embedded gateway ends with its command, so it cannot be read or called later.',
    fix: 'Give `--target URL`, or set `target.url` in the configuration. The daemon reads `probe.targets`.',
  },
  target_invalid: {
    means: 'The address of the target is not usable.',
    why: 'Weighbridge derives all other addresses from this one.',
    fix: 'Give an http or https address, such as `https://gateway.example`. It may end in `/v1` or `/api`.',
  },
  records_address_invalid: {
    means: 'The address of `--records` is not usable.',
    why: 'Weighbridge reads the usage records from this address.',
    fix: 'Give an http or https address, such as `https://gateway.example`, or the path of a file.',
  },
  model_needed: {
    means: 'Weighbridge does not know which model to call.',
    why: 'The server lists no models, or it lists several that could be meant.',
    fix: 'Give `--model ID`, or set `traffic[].model` in the configuration.',
  },
  permission_needed: {
    means: 'The plan puts more load on the target than is allowed without permission.',
    why: 'Load is felt by other users of a gateway, so its owner must agree.',
    fix: 'Lower the rates. If the owner agrees, give `--permission NAME:YYYY-MM-DD` or set `target.permission`.',
  },
  spend_cap_needed: {
    means: 'The run has no limit on what it may spend.',
    why: 'Every call costs money, so a run starts only with a limit.',
    fix: 'Give `--max-spend-usd 2.00`, or set `spend.max_usd: "2.00"` in the configuration.',
  },
  spend_unbounded: {
    means: 'The target publishes no prices, so the cost of its calls is unknown.',
    why: 'A spend cap needs a price for every call.',
    fix: 'Give `--max-calls N`. Or give `--assume-usd-per-call X` together with `--max-spend-usd`.',
  },
  instances_without_place: {
    means: 'A limit of the plan is too small to be divided among all load engines.',
    why: 'Each load engine gets a whole share of every limit.',
    fix: 'Raise the limit in the configuration, or plan fewer instances.',
  },
  capacity_needs_objectives: {
    means: '`--find-capacity` was given without an objective.',
    why: 'The search stops at the first rate that misses an objective. Without one it would never stop.',
    fix: 'Give objectives such as `--objective ttft_p95=800ms,error_share=1%`.',
  },
  capacity_of_a_trace: {
    means: '`--find-capacity` was given for a scenario that replays a trace.',
    why: 'A replayed trace has fixed start times, so its rate cannot be raised.',
    fix: 'Give the scenario a rate, or remove it from the configuration.',
  },
  capacity_too_few_calls: {
    means: 'A step of `--find-capacity` would make too few calls to judge its objectives.',
    why: 'A percentile or a share needs a minimum number of calls.',
    fix: 'Use the longer `--step` or the higher `--from` that the message gives. Nothing was charged.',
  },
  dialect_unknown: {
    means: '`--dialect` names a gateway family that Weighbridge does not know.',
    why: 'The family decides how the bill is read or served.',
    fix: 'Give one of the names in the message.',
  },
  dialect_changed: {
    means: 'The target now serves its bill in another form than before.',
    why: 'A changed form can mean another gateway, so nothing paid was sent.',
    fix: 'If the change is intended, give `--dialect NAME` once. Otherwise wait until the target answers as before.',
  },
  proxy_invalid: {
    means: 'A proxy variable is not an address.',
    why: 'All calls would go through this proxy.',
    fix: 'Set it to an address such as `http://proxy.example:3128`, or unset it.',
  },
  ca_file_unusable: {
    means: 'The file of trusted certificates cannot be used.',
    why: 'Without it Weighbridge cannot check who answers.',
    fix: 'Name a file with one or more PEM certificates, or unset the variable.',
  },
  listen_failed: {
    means: 'The daemon cannot listen on its address.',
    why: 'Another program uses the port, or this machine has no such address.',
    fix: 'Stop the other program, or give another address with `--listen`.',
  },
  listen_file_invalid: {
    means: 'A file that `probe.listen` names cannot be used.',
    why: 'The daemon serves its pages with this certificate, key or password.',
    fix: 'Correct the file, or correct its path in the configuration.',
  },
  probe_unknown: {
    means: 'A request names a probe that the configuration does not have.',
    why: 'The daemon runs only the probes of its configuration.',
    fix: 'Open `/config` of the daemon. It lists the targets and their probes.',
  },
  file_of_this_machine: {
    means: 'The configuration names files of this machine, which pods in Kubernetes cannot read.',
    why: 'A pod sees only its image, its ConfigMaps and its Secrets.',
    fix: 'Use `env:NAME` for secrets. Leave out other files, or build them into the image.',
  },
} satisfies Record<string, ErrorEntry>;
