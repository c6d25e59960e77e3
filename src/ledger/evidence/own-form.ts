import { asObject } from '../../wire/json-fields.ts';
import { EVIDENCE_SCHEMA, evidenceCall } from './evidence-call.ts';
import { parsed } from './evidence-error.ts';
import { type EvidenceImporter, oneCall } from './evidence-importer.ts';

/** `weighbridge.evidence/1`: one call a line. */
export const OWN_FORM: EvidenceImporter = {
  name: 'evidence',
  lacks: [],
  not_taken: [],
  recognises: (item) => !item.isCsv && asObject(item.value)?.['schema'] === EVIDENCE_SCHEMA,
  read: (item, place) => oneCall(parsed(evidenceCall, item.value, place)),
};
