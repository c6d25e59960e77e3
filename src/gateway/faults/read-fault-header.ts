import * as z from 'zod';
import { nearestName } from '../../config/nearest-name.ts';
import { ruleText } from '../../config/rule-text.ts';
import type { FaultDefinition, FaultSubject } from '../hooks/fault-definition.ts';
import { type ApiError, invalidRequest } from '../http/api-error.ts';
import type { FaultEntry } from './fault-plan.ts';
import { FAULTS } from './fault-registry.ts';

const CODE = 'invalid_fault_header';
const LONGEST_SHOWN = 60;
const NAME = '[A-Za-z0-9_.-]+';
/** `name=value`; a value with a comma, a semicolon or a space stands in double quotes. */
const PARAMETER = new RegExp(`\\s*;\\s*(${NAME})\\s*=\\s*(?:"([^"]*)"|([^\\s;,"]+))`, 'y');
const FAULT = new RegExp(`\\s*(${NAME})`, 'y');
const END = /\s*(,|$)/y;

/**
 * Faults of one request, as `net.eof_clean; after_events=3, http.500`; each fires at once.
 * Throws ApiError 400 `invalid_fault_header` for a fault that is unknown, wrongly set or that cannot hit this request.
 */
export function readFaultHeader(text: string, subject: FaultSubject): FaultEntry[] {
  const entries: FaultEntry[] = [];
  const reader = new HeaderReader(text);
  do {
    const id = reader.take(FAULT)?.[1];
    if (id === undefined) throw refused(`expected a fault id at character ${reader.place}`);
    const fault = FAULTS.find((candidate) => candidate.id === id);
    if (fault === undefined) throw unknownFault(id);
    const given = new Map<string, string>();
    for (let found = reader.take(PARAMETER); found !== null; found = reader.take(PARAMETER)) {
      const name = found[1] ?? '';
      if (given.has(name)) throw refused(`${id}: expected the parameter ${name} once`);
      given.set(name, found[2] ?? found[3] ?? '');
    }
    if (!fault.applies(subject)) {
      const how = subject.stream ? 'streamed' : 'not streamed';
      throw refused(`${id} cannot hit ${subject.endpoint}, ${how}`);
    }
    entries.push({ fault: id, when: { nth: 1 }, parameters: parametersOf(fault, given) });
  } while (reader.more());
  return entries;
}

class HeaderReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Counted from 1, for messages. */
  get place(): number {
    return this.#at + 1;
  }

  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }

  /** False at the end of the header. */
  more(): boolean {
    const end = this.take(END);
    if (end === null) throw refused(`expected "; name=value", a comma or the end at character ${this.place}`);
    return end[1] === ',';
  }
}

function parametersOf(fault: FaultDefinition, given: ReadonlyMap<string, string>): FaultEntry['parameters'] {
  const names = Object.keys(fault.shape);
  const wanted: Record<string, string | number | boolean> = {};
  for (const [name, text] of given) {
    const schema = fault.shape[name];
    if (schema === undefined) {
      const known = names.length === 0 ? 'it has none' : `known: ${names.join(', ')}`;
      throw refused(`${fault.id}: unknown parameter ${name}; ${known}`);
    }
    const read = meanings(text).find((value) => schema.safeParse(value).success);
    wanted[name] = read ?? meanings(text)[0] ?? text;
  }
  const result = z.strictObject(fault.shape).safeParse(wanted, { error: ruleText });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const name = String(issue?.path[0] ?? '');
  const found = given.get(name);
  throw refused(
    `${fault.id}: ${name}: ${issue?.message ?? 'is wrong'}, found ${found === undefined ? 'nothing' : `"${found}"`}`,
  );
}

/** What a text may stand for, the narrowest first. */
function meanings(text: string): (string | number | boolean)[] {
  const number = /^-?\d+(\.\d+)?$/.test(text) ? [Number(text)] : [];
  const truth = text === 'true' ? [true] : text === 'false' ? [false] : [];
  return [...number, ...truth, text];
}

function unknownFault(text: string): ApiError {
  const id = text.slice(0, LONGEST_SHOWN);
  const ids = FAULTS.map((fault) => fault.id);
  const near = nearestName(id, ids);
  const meant = near === null ? 'weighbridge gateway --list-faults names them all' : `did you mean ${near}?`;
  return refused(`unknown fault ${id}; ${meant}`);
}

function refused(what: string): ApiError {
  return invalidRequest(`X-Weighbridge-Fault: ${what}`, CODE);
}
