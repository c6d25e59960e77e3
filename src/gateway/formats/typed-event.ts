/** A stream event whose `event:` line repeats the type of its data. */
export function typedEvent<T extends { readonly type: string }>(data: T): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}
