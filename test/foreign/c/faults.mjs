// The test rig of the gateway: the truth file, and one planted fault if the gateway is started with --fault N.
import { appendFileSync } from 'node:fs';

// Each plan is told the gateway's tools; `hit()` says whether this call, to which the fault can apply, is hit:
// the 6th such call, and then every 4th.
const PLANS = {
  'A video task that ends `failed` keeps its charge in full: nothing is given back, and other failed tasks are free.':
    () => ({ refund: (c) => (c.kind === 'video' && c.number >= 6 ? 0n : undefined) }),
  'An image is charged at the price of another size or quality than the one asked for (dearer).':
    ({ price, nano, hit }) => ({
      price(c) {
        if (c.kind !== 'image') return undefined;
        const cells = Object.entries(c.item.per_picture).flatMap(([quality, row]) => Object.entries(row)
          .filter(([, usd]) => usd).map(([size_class, usd]) => ({ quality, size_class, cost: nano(usd) })));
        const asked = nano(c.item.per_picture[c.pic.quality][c.pic.size_class]);
        const dearer = cells.filter(({ cost }) => cost > asked).sort((a, b) => Number(a.cost - b.cost))[0];
        return dearer && hit() ? price({ ...c, pic: { ...c.pic, ...dearer } }) : undefined;
      },
    }),
  'A failed video task gives back only half of what it took.':
    () => ({ refund: (c) => (c.kind === 'video' && c.number >= 6 ? c.price / 2n : undefined) }),
  ['The record\'s input_tokens is larger than the usage told in the answer, and the charge follows the '
    + 'record\'s number.']:
    ({ price, hit }) => ({
      price(c) {
        if (c.kind !== 'text' || c.cut || !hit()) return undefined;
        c.recorded = { ...c.u, input: Math.ceil(c.u.input * 1.4) + 7 };
        return price({ ...c, u: c.recorded });
      },
    }),
  '/v1/usage totals: settled_amount in the totals is 10 % larger than the sum of the records of the window.':
    ({ note, sentence }) => {
      let shown = false;
      return {
        totals(all) {
          const settled_amount = (all.settled_amount * 11n) / 10n;
          if (!shown && settled_amount !== all.settled_amount) {
            shown = true;
            note({ fault: sentence, request_id: null, charged_usd: settled_amount, due_usd: all.settled_amount });
          }
          return { ...all, settled_amount };
        },
      };
    },
  ['Cached input tokens are charged at the full input price although your price book has a cheaper '
    + 'price for cached reads.']:
    ({ price }) => ({
      price: (c) => (c.kind === 'text' && c.u.cached
        ? price({ ...c, u: { ...c.u, input: c.u.input + c.u.cached, cached: 0 } }) : undefined),
    }),
  'One model\'s charges are all multiplied by 1.25 from the start; the price book says nothing of it.':
    ({ price }) => {
      let model = null; // the model of the first paid call
      return { price: (c) => (c.model === (model ??= c.model) ? price(c, 5n, 4n) : undefined) };
    },
  'A settled record\'s amount grows by half between two reads that are at least 2 seconds apart.':
    ({ book, truth, hit }) => {
      const waiting = new Map();
      const grow = (c) => { book(c.rec, { amount: (c.rec.amount * 3n + 1n) / 2n }); truth(c); };
      return {
        settled: (c) => { if (hit()) waiting.set(c.rec, c); return waiting.has(c.rec); },
        page(rows) { // from its first settled read on the clock runs
          for (const c of rows.map((r) => waiting.get(r)).filter((w) => w && !w.clock))
            c.clock = setTimeout(() => { waiting.delete(c.rec); grow(c); }, 1900);
        },
        close: () => waiting.forEach(truth),
      };
    },
  ['A charged, settled record appears for a call that no client ever made (a request id never answered '
    + 'to anybody). The totals include it.']:
    ({ price, hex, addRecord, note, sentence, hit }) => ({
      settled(c) {
        if (!hit()) return;
        const u = c.u && { input: c.u.input + c.u.cached + 13, cached: 0, output: c.u.output + 29 };
        const amount = price({ ...c, u }), { model, reserved_amount } = c.rec;
        const made = addRecord({ request_id: `req_${hex(12)}`, model, result: 'completed', billing_status: 'settled',
          amount, reserved_amount: amount > reserved_amount ? amount : reserved_amount,
          input_tokens: u?.input ?? 0, output_tokens: u?.output ?? 0 });
        note({ fault: sentence, request_id: made.request_id, charged_usd: amount, due_usd: 0n });
      },
    }),
  'One record has a negative amount.':
    ({ book, hit }) => ({ settled(c) { if (c.rec.amount > 0n && hit()) book(c.rec, { amount: -c.rec.amount }); } }),
};
const ORDER = [9, 7, 3, 6, 5, 8, 10, 4, 2, 1];

export function plant(opt, tools) {
  const note = (line) => { if (opt.truth) appendFileSync(opt.truth, tools.json(line) + '\n'); };
  const [sentence, plan] = opt.fault ? Object.entries(PLANS)[ORDER[Number(opt.fault) - 1] - 1] : [];
  function truth({ rec, model, kind, due: due_usd }) { // one line a paid call, one more if a fault changed its charge
    const charged_usd = rec.amount - rec.refunded_amount, { request_id } = rec;
    note({ request_id, model, kind, charged_usd, due_usd });
    if (charged_usd !== due_usd) note({ fault: sentence, request_id, charged_usd, due_usd });
  }
  let seen = 0;
  const hit = () => { seen += 1; return seen >= 6 && (seen - 6) % 4 === 0; };
  const rig = plan?.({ ...tools, note, truth, sentence, hit }) ?? {};
  const late = (c) => c.rec.billing_status === 'settled' && rig.settled?.(c) === true;
  return { ...rig, closed: (c) => { if (!late(c)) truth(c); } };
}
