import type { ResponseFormat } from './image-request.ts';

/** One item of an image response: only the asked field is filled. */
export interface ImageItem {
  readonly url?: string;
  readonly b64_json?: string;
}

/** The forms in which one image can be given. */
export interface ImageForms {
  readonly asked: ResponseFormat;
  /** With a fresh signed link. */
  url(): { readonly url: string };
  b64Json(): { readonly b64_json: string };
}
