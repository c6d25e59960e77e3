import type { Requirement } from './requirement.ts';

/** What the interface says of text. */
export const TEXT_CLAIMS = [
  {
    id: 'chat.json_object',
    source: 'interface §4 endpoints',
    says: 'A chat call answers 200 with a JSON object.',
  },
  {
    id: 'chat.stream_optional',
    source: 'interface §2 chat completion request',
    says: 'stream may be left out; the answer is then whole.',
  },
  { id: 'chat.stream_boolean', source: 'interface §2 chat completion request', says: 'stream is a boolean.' },
  { id: 'chat.model_required', source: 'interface §2 chat completion request', says: 'model is required.' },
  { id: 'chat.model_string', source: 'interface §2 chat completion request', says: 'model is a string.' },
  { id: 'chat.stream_type', source: 'interface §4 note 5; §6', says: 'stream true gives text/event-stream.' },
  {
    id: 'chat.messages_required',
    source: 'interface §2 chat completion request',
    says: 'messages is required.',
  },
  {
    id: 'chat.messages_array',
    source: 'interface §2 chat completion request',
    says: 'messages is an array.',
  },
  {
    id: 'chat.role_required',
    source: 'interface §2 chat completion request',
    says: 'role of a message is required.',
  },
  {
    id: 'chat.content_required',
    source: 'interface §2 chat completion request',
    says: 'content of a message is required.',
  },
  {
    id: 'chat.content_any_json',
    source: 'interface §2 chat completion request',
    says: 'content of a message is any JSON value.',
  },
  {
    id: 'responses.json_object',
    source: 'interface §4 endpoints',
    says: 'A responses call answers 200 with a JSON object.',
  },
  {
    id: 'responses.stream_optional',
    source: 'interface §2 responses-style request',
    says: 'stream may be left out; the answer is then whole.',
  },
  {
    id: 'responses.stream_boolean',
    source: 'interface §2 responses-style request',
    says: 'stream is a boolean.',
  },
  {
    id: 'responses.model_required',
    source: 'interface §2 responses-style request',
    says: 'model is required.',
  },
  {
    id: 'responses.model_string',
    source: 'interface §2 responses-style request',
    says: 'model is a string.',
  },
  {
    id: 'responses.stream_type',
    source: 'interface §4 note 5; §6',
    says: 'stream true gives text/event-stream.',
  },
  {
    id: 'messages.json_object',
    source: 'interface §4 endpoints',
    says: 'A messages call answers 200 with a JSON object.',
  },
  {
    id: 'messages.stream_optional',
    source: 'interface §2 messages-style request',
    says: 'stream may be left out; the answer is then whole.',
  },
  {
    id: 'messages.stream_boolean',
    source: 'interface §2 messages-style request',
    says: 'stream is a boolean.',
  },
  {
    id: 'messages.model_required',
    source: 'interface §2 messages-style request',
    says: 'model is required.',
  },
  { id: 'messages.model_string', source: 'interface §2 messages-style request', says: 'model is a string.' },
  {
    id: 'messages.stream_type',
    source: 'interface §4 note 5; §6',
    says: 'stream true gives text/event-stream.',
  },
  {
    id: 'messages.messages_required',
    source: 'interface §2 messages-style request',
    says: 'messages is required.',
  },
  {
    id: 'messages.messages_array',
    source: 'interface §2 messages-style request',
    says: 'messages is an array.',
  },
  {
    id: 'messages.role_required',
    source: 'interface §2 messages-style request',
    says: 'role of a message is required.',
  },
  {
    id: 'messages.content_required',
    source: 'interface §2 messages-style request',
    says: 'content of a message is required.',
  },
  {
    id: 'messages.content_any_json',
    source: 'interface §2 messages-style request',
    says: 'content of a message is any JSON value.',
  },
  {
    id: 'messages.max_tokens_required',
    source: 'interface §2 messages-style request; §8',
    says: 'max_tokens is required.',
  },
  {
    id: 'messages.max_tokens_minimum',
    source: 'interface §2 messages-style request; §8',
    says: 'max_tokens below 1 is refused.',
  },
  {
    id: 'messages.max_tokens_one',
    source: 'interface §2 messages-style request; §8',
    says: 'max_tokens of 1 is taken.',
  },
  {
    id: 'messages.max_tokens_integer',
    source: 'interface §2 messages-style request; §8',
    says: 'max_tokens is an integer.',
  },
  {
    id: 'responses.input_required',
    source: 'interface §2 responses-style request',
    says: 'input is required.',
  },
  {
    id: 'responses.input_string',
    source: 'interface §2 responses-style request',
    says: 'input may be a string.',
  },
  {
    id: 'responses.output_array',
    source: 'interface §2 responses-style request',
    says: 'A whole answer has an output array.',
  },
  {
    id: 'responses.message_item',
    source: 'interface §2 responses-style request',
    says: 'Items of type message carry a content array.',
  },
  {
    id: 'responses.output_text',
    source: 'interface §2 responses-style request',
    says: 'Parts of type output_text carry text.',
  },
  {
    id: 'chat.stream_json',
    source: 'interface §6 chat completions',
    says: 'A chat stream carries JSON in its data events.',
  },
  {
    id: 'chat.stream_delta',
    source: 'interface §6 chat completions',
    says: 'Its text stands in choices[].delta.content.',
  },
  { id: 'chat.stream_done', source: 'interface §6 chat completions', says: 'It ends with [DONE].' },
  {
    id: 'responses.stream_delta',
    source: 'interface §6 responses',
    says: 'Its text stands in delta of response.output_text.delta.',
  },
  {
    id: 'responses.stream_completed',
    source: 'interface §6 responses',
    says: 'It ends with response.completed.',
  },
  {
    id: 'messages.stream_types',
    source: 'interface §6 messages',
    says: 'A messages stream has the event types of its style.',
  },
  { id: 'messages.stream_stop', source: 'interface §6 messages', says: 'It ends with message_stop.' },
  { id: 'streams.formats_differ', source: 'interface §6', says: 'The three stream formats do not mix.' },
  {
    id: 'streams.cut_is_used',
    source: 'interface §6 rule 1',
    says: 'A stream that is cut after output may have been charged, and usage tells.',
  },
  { id: 'streams.no_image_stream', source: 'interface §6 rule 2', says: 'Images do not stream.' },
  { id: 'streams.no_video_stream', source: 'interface §6 rule 2', says: 'Videos do not stream.' },
] as const satisfies readonly Requirement[];
