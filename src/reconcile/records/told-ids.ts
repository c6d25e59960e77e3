import type { PaidCall } from './paid-call.ts';

/** A text of an answer that may be the id of its request, and the header or field that told it. */
interface ToldId {
  readonly place: string;
  readonly id: string;
}

/** A kind of answer before an id, as in `chatcmpl-…` and `resp_…`. */
const KIND = /^[A-Za-z]+[-_](?=.{8})/;

/** What may be the request id of a call, beside its `request_ids` and `linked_ids`. */
export function toldIds({ row, linked_ids }: PaidCall): readonly ToldId[] {
  const others = Object.entries(row?.other_ids ?? {}).filter(([, id]) => !linked_ids.includes(id));
  const inside = [...linked_ids.map((id) => ['linked', id] as const), ...others].flatMap(
    ([place, id]): readonly ToldId[] => {
      const rest = id.replace(KIND, '');
      return rest === id ? [] : [{ place: `${place}, after its kind`, id: rest }];
    },
  );
  return [...others.map(([place, id]) => ({ place, id })), ...inside];
}
