/** Stand where a value of each event goes; no field of an event holds such text. */
export const TEXT_SLOT = '\u0000text';
export const NUMBER_SLOT = '\u0000number';

/**
 * A function that makes an event like `event`, a serialised one, with a text, as JSON, in the place of TEXT_SLOT and a
 * number in that of NUMBER_SLOT: thousands of events of a stream differ in nothing else.
 */
export function eventWithSlots(event: string): (text: string, number: number) => string {
  const [head, afterText] = splitAt(event, TEXT_SLOT);
  const slot = JSON.stringify(NUMBER_SLOT);
  if (!afterText.includes(slot)) return (text) => head + JSON.stringify(text) + afterText;
  const [between, tail] = splitAt(afterText, NUMBER_SLOT);
  return (text, number) => head + JSON.stringify(text) + between + number + tail;
}

function splitAt(event: string, slot: string): [before: string, after: string] {
  const quoted = JSON.stringify(slot);
  const at = event.indexOf(quoted);
  if (at < 0) throw new RangeError(`event has no slot ${quoted}: ${event}`);
  return [event.slice(0, at), event.slice(at + quoted.length)];
}
