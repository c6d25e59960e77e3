import type { ApiKey } from '../account/account.ts';
import { type ApiError, invalidRequest, ModelOutOfReach, notFound } from '../http/api-error.ts';
import { modelById } from '../models/catalogue.ts';
import type { Model } from '../models/model.ts';

type ModelOf<K extends Model['kind']> = Extract<Model, { kind: K }>;

/** The model that a key may call on a route of this kind; throws 404 `model_not_found`, or 400 for another kind. */
export function servingModel<K extends Model['kind']>(key: ApiKey, id: string, kind: K): ModelOf<K> {
  const model = modelById(id);
  if (model === null) throw noSuchModel(id);
  if (key.models !== null && !key.models.has(id)) throw new ModelOutOfReach(noSuchModel(id));
  if (!isKind(model, kind)) throw invalidRequest(`The model '${id}' does not serve ${kind} requests`);
  return model;
}

export function noSuchModel(id: string): ApiError {
  return notFound(`The model '${id}' does not exist or this key has no access to it`, 'model_not_found');
}

function isKind<K extends Model['kind']>(model: Model, kind: K): model is ModelOf<K> {
  return model.kind === kind;
}
