import type { PicoUsd } from '../../core/amount.ts';
import type { TokenUsage } from '../events/charge-record.ts';
import type { ImageModel, TextModel, VideoModel } from '../models/model.ts';
import type { RoundingRule } from '../prices/rounding-rule.ts';
import type { PriceHistory } from '../pricing/price-history.ts';
import { imageCharge, textCharge, videoCharge } from './charge-amount.ts';
import type { TextExtras } from './text-extras.ts';

/** What a call is charged by, at the prices of its acceptance unless it is priced anew. */
export type ChargedUnits =
  | { readonly kind: 'text'; readonly model: TextModel; readonly extras?: TextExtras }
  | {
      readonly kind: 'image';
      readonly model: ImageModel;
      readonly size: string;
      readonly quality: string;
      readonly isEdit?: boolean;
      /** 1 unless given. */
      readonly count?: number;
    }
  | { readonly kind: 'video'; readonly model: VideoModel; readonly size: string; readonly seconds: number };

/** The same work at current prices. */
export function atCurrentPrices(work: ChargedUnits, prices: PriceHistory): ChargedUnits {
  switch (work.kind) {
    case 'text':
      return { ...work, model: prices.priced(work.model) };
    case 'image':
      return { ...work, model: prices.priced(work.model) };
    case 'video':
      return { ...work, model: prices.priced(work.model) };
  }
}

/** What the work costs, or null where its model has no such price. */
export function workCharge(work: ChargedUnits, usage: TokenUsage, rule?: RoundingRule): PicoUsd | null {
  switch (work.kind) {
    case 'text':
      return textCharge(work.model, usage, rule, work.extras);
    case 'image':
      return imageCharge(work.model, work.size, work.quality, rule, work.isEdit, work.count);
    case 'video':
      return videoCharge(work.model, work.size, work.seconds, rule);
  }
}
