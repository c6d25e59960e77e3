export interface Unpriced {
  readonly unpriced: string;
  readonly why: 'model' | 'component' | 'units' | 'ambiguous' | 'unsupported';
}
