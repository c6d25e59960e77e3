import type { TextReply } from './text-format.ts';

interface TypedEvent {
  readonly type: string;
  readonly output_index: number;
  readonly item?: object;
  readonly item_id?: string;
}

export interface ResponsesPrelude {
  /** Output items, ended. */
  readonly items: readonly object[];
  /** The events by which they come, without their sequence numbers. */
  readonly events: readonly TypedEvent[];
}

/** What stands in the output of a response before its message: the reasoning, then one item for each search. */
export function responsesPrelude({ requestId, reasoning, searches }: TextReply): ResponsesPrelude {
  const thought = reasoning === null ? [] : [{ id: `rs_${requestId}`, type: 'reasoning', summary: [] }];
  const searched = searches.map((query, index) => searchItem(`ws_${requestId}_${index}`, query, 'completed'));
  return {
    items: [...thought, ...searched],
    events: [
      ...thought.flatMap((item, output_index) => [
        { type: 'response.output_item.added', output_index, item },
        { type: 'response.output_item.done', output_index, item },
      ]),
      ...searches.flatMap((query, index) => searchEvents(requestId, query, index, thought.length + index)),
    ],
  };
}

function searchEvents(
  requestId: string,
  query: string,
  index: number,
  output_index: number,
): readonly TypedEvent[] {
  const item_id = `ws_${requestId}_${index}`;
  return [
    {
      type: 'response.output_item.added',
      output_index,
      item: searchItem(item_id, query, 'in_progress'),
    },
    ...['in_progress', 'searching', 'completed'].map((step) => ({
      type: `response.web_search_call.${step}`,
      output_index,
      item_id,
    })),
    {
      type: 'response.output_item.done',
      output_index,
      item: searchItem(item_id, query, 'completed'),
    },
  ];
}

function searchItem(id: string, query: string, status: 'in_progress' | 'completed'): object {
  return { id, type: 'web_search_call', status, action: { type: 'search', query } };
}
