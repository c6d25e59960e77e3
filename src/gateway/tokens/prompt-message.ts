/** One message of a prompt in any of the three formats. */
export interface PromptMessage {
  readonly role: string;
  readonly text: string;
}

/** The text of a `content` value, which may be any JSON (interface §2). */
export function contentText(content: unknown): string {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(partText).join('');
  return partText(content);
}

/** A part that holds no text counts as its JSON: a documented rule of this gateway, as for images in prompts. */
function partText(part: unknown): string {
  if (typeof part === 'string') return part;
  if (part !== null && typeof part === 'object' && 'text' in part && typeof part.text === 'string')
    return part.text;
  return JSON.stringify(part) ?? '';
}
