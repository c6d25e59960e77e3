import { defineFault, type FaultDefinition } from '../../hooks/fault-definition.ts';

/** Other forms of the same events: a parser by the standard reads each of them alike. */
export const LINE_FORMS: readonly FaultDefinition[] = [
  form('net.crlf', 'Ends the lines of a stream with CR LF.', (text) => text.replaceAll('\n', '\r\n')),
  form('net.cr', 'Ends the lines of a stream with a bare CR.', (text) => text.replaceAll('\n', '\r')),
  form('net.bom', 'Begins a stream with a byte order mark.', (text, first) =>
    first ? `\ufeff${text}` : text,
  ),
  form('net.nospace', 'Leaves out the blank after the colons of a stream.', (text) =>
    text.replace(/^(data|event|id|retry): /gm, '$1:'),
  ),
  form('net.multiline_data', 'Spreads the JSON of an event over several data lines.', (text) =>
    text.replace(/^data: (\{.*\})$/gm, (_line, json: string) => dataLines(json)),
  ),
];

function form(id: string, summary: string, write: (text: string, first: boolean) => string): FaultDefinition {
  return defineFault({
    id,
    summary,
    charge: 'charged',
    shape: {},
    applies: (call) => call.stream,
    arm: (_parameters, { fire }) => ({
      *frames(frames) {
        let first = true;
        for (const frame of frames) {
          const text = write(frame.text, first);
          first = false;
          yield { ...frame, text };
          if (text !== frame.text) fire();
        }
      },
    }),
  });
}

/** JSON may be broken between its tokens: the line feeds that a parser puts between data lines fall there. */
function dataLines(json: string): string {
  const spread = JSON.stringify(JSON.parse(json), null, 1);
  return spread
    .split('\n')
    .map((line) => `data: ${line}`)
    .join('\n');
}
