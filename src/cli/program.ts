import { Command, CommanderError } from 'commander';
import { errorParts, errorTail, type RenderedError, renderError } from '../app/notices/render-error.ts';
import { runProbeDaemon } from '../app/probe/probe-daemon.ts';
import { auditRun } from '../app/run/audit-run.ts';
import { VERSION, versionText } from '../app/version/version.ts';
import { EXIT } from '../contracts/exit-code.ts';
import { auditCommand } from './commands/audit.ts';
import { claimsCommand } from './commands/claims.ts';
import { examplesText } from './commands/command-examples.ts';
import { demoCommand } from './commands/demo.ts';
import { doctorCommand } from './commands/doctor.ts';
import { explainCommand } from './commands/explain.ts';
import { gatewayCommand } from './commands/gateway.ts';
import { historyCommand } from './commands/history.ts';
import { initCommand } from './commands/init.ts';
import { k8sCommand } from './commands/k8s.ts';
import { planCommand } from './commands/plan.ts';
import { pricebookCommand } from './commands/pricebook.ts';
import { probeCommand } from './commands/probe.ts';
import { pullCommand } from './commands/pull.ts';
import { reconcileCommand } from './commands/reconcile.ts';
import { reportCommand } from './commands/report.ts';
import { completionCommand } from './completion/shell-completion.ts';
import { jsonTerminal, type Terminal } from './terminal/terminal.ts';

const CREDENTIALS =
  '\nCredentials come from WEIGHBRIDGE_API_KEY or WEIGHBRIDGE_API_KEY_FILE, never from a flag.';

/** Registers each command; `finish` takes the exit status. */
type Register = (program: Command, terminal: Terminal, finish: (code: number) => void) => void;

const COMMANDS: readonly Register[] = [
  demoCommand(auditRun),
  (program, terminal, finish) => auditCommand(program, terminal, finish, 'audit'),
  (program, terminal, finish) => auditCommand(program, terminal, finish, 'run'),
  planCommand,
  reconcileCommand,
  reportCommand,
  explainCommand,
  claimsCommand,
  historyCommand,
  pullCommand,
  pricebookCommand,
  probeCommand(runProbeDaemon),
  k8sCommand,
  gatewayCommand,
  initCommand,
  doctorCommand,
  completionCommand,
];

/** The commands with their flags; `finish` is told the exit status of the one that ran. */
export function buildProgram(terminal: Terminal, finish: (code: number) => void): Command {
  const program = new Command('weighbridge')
    .description('Load test, monitor and audit the bill of a model gateway.')
    .version(VERSION, '-V, --version')
    .showSuggestionAfterError(true)
    .addHelpText('after', CREDENTIALS)
    .configureOutput({
      // A line is ended by the terminal; a blank one parts the examples from the rest.
      writeOut: (text) => terminal.out(text.replace(/\n$/, '')),
      writeErr: (text) => terminal.err(text.trimEnd()),
    })
    .exitOverride();
  for (const register of COMMANDS) register(program, terminal, finish);
  for (const command of [program, ...program.commands]) {
    command.addHelpText('before', examplesText(command.name()));
    if (command !== program) command.exitOverride().copyInheritedSettings(program);
  }
  return program;
}

/** Runs one command line and returns its exit status. */
export async function runProgram(args: readonly string[], host: Terminal): Promise<number> {
  // Errors of the command line itself, too, are lines for programs.
  const terminal = args.includes('--json-progress') ? jsonTerminal(host) : host;
  // Not a string of the program: git is asked for it, and no other command shall wait for that.
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    terminal.out(versionText());
    return EXIT.ok;
  }
  let status: number = EXIT.ok;
  const program = buildProgram(terminal, (code) => {
    status = code;
  });
  if (args.length === 0) {
    program.outputHelp();
    return EXIT.ok;
  }
  try {
    await program.parseAsync([...args], { from: 'user' });
    return status;
  } catch (error) {
    const commander = error instanceof CommanderError;
    if (commander && error.exitCode === 0) return EXIT.ok;
    const { lines, exitCode, ...parts } = commander ? usageError(error) : renderError(error);
    for (const line of lines) terminal.err(line);
    // Programs that read the last line of stdout get the failure there, too.
    if (args.includes('--json')) terminal.out(JSON.stringify({ error: parts, exit_codes: [exitCode] }));
    return exitCode;
  }
}

/** Commander has printed what is wrong already. */
function usageError(error: CommanderError): RenderedError {
  const parts = errorParts('usage', error.message.replace(/^error: /, ''));
  return { ...parts, lines: errorTail(parts), exitCode: EXIT.usage };
}
