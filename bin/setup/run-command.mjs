import { spawn } from 'node:child_process';
import { SetupError } from './step.mjs';

const MOST_LINES = 20;

/**
 * Runs a command quietly; its last lines are shown only when it fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: Record<string, string | undefined>, missing?: string }} options `missing`: what to say where there is no such command.
 * @returns {Promise<string>} What it wrote.
 */
export function runCommand(command, args, { cwd, env = process.env, missing }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', (cause) => {
      reject(new SetupError(missing ?? `The command ${command} could not be started: ${cause.message}.`));
    });
    child.on('close', (code) => {
      if (code === 0) return resolve(output);
      reject(new SetupError(`${command} ${args.join(' ')} ended with ${code}:\n${excerpt(output)}`, 1));
    });
  });
}

/** The lines that speak of an error, else the last ones. @param {string} output */
function excerpt(output) {
  const lines = output.trimEnd().split('\n');
  const errors = lines.filter((line) => /error/i.test(line));
  return (errors.length > 0 ? errors.slice(0, MOST_LINES) : lines.slice(-MOST_LINES)).join('\n');
}
