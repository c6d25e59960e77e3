/** A claim of the interface that can be tested. */
export interface Requirement {
  /** By area, dotted, in snake case; cited by cases and breaks. */
  readonly id: string;
  /** Where the interface makes it. */
  readonly source: string;
  /** In our own words. */
  readonly says: string;
}

/** Every sentence of the interface that a client can see kept or broken. */
export const REQUIREMENTS = [
  // models
  {
    id: 'models.list_without_key',
    source: 'interface §4 GET /v1/models; §5 rule 1',
    says: 'The model list answers 200 without a credential.',
  },
  {
    id: 'models.public_catalog',
    source: 'interface §2 model list',
    says: 'Without a key the list is the public catalogue.',
  },
  {
    id: 'models.list_with_key',
    source: 'interface §4 GET /v1/models',
    says: 'The model list answers 200 to a valid key.',
  },
  {
    id: 'models.invalid_key_401',
    source: 'interface §4 GET /v1/models',
    says: 'The model list answers 401 to an invalid key.',
  },
  {
    id: 'models.object_list',
    source: 'interface §2 model list',
    says: 'object of the model list is "list".',
  },
  { id: 'models.data_array', source: 'interface §2 model list', says: 'data of the model list is an array.' },
  {
    id: 'models.id_string',
    source: 'interface §2 model list',
    says: 'Every listed model has an id, a string.',
  },
  {
    id: 'models.exact_id',
    source: 'interface §2 model list',
    says: 'A listed id is called exactly as it is listed.',
  },
  {
    id: 'models.key_permissions',
    source: 'interface §2 model list; §5 rule 5',
    says: 'With a key the list holds the models of that key.',
  },
  {
    id: 'models.outside_key_404',
    source: 'interface §5 rule 5',
    says: 'A model outside the set of the key is 404.',
  },
  {
    id: 'models.unknown_404',
    source: 'interface §7 row 404',
    says: 'A model id that does not exist is 404.',
  },
  {
    id: 'models.not_found_code',
    source: 'interface §7 row 404',
    says: 'The code of that 404 is model_not_found.',
  },
  {
    id: 'models.not_found_type',
    source: 'interface §7 row 404',
    says: 'The type of that 404 is invalid_request_error.',
  },
  {
    id: 'models.not_found_names_model',
    source: 'interface §7 case 3',
    says: 'The message of that 404 names the model that was sent.',
  },
  {
    id: 'pricing.without_credential',
    source: 'interface §5 rule 1',
    says: 'The price book is served without a credential.',
  },
  { id: 'pricing.json', source: 'interface §4 GET /pricing.usd.json', says: 'The price book is JSON.' },
  {
    id: 'pricing.global',
    source: 'interface §2 pricebook',
    says: 'The base prices are the same for everybody.',
  },
  // credentials
  { id: 'auth.missing_key_401', source: 'interface §7 row 401', says: 'A model call without a key is 401.' },
  {
    id: 'auth.missing_key_code',
    source: 'interface §7 row 401',
    says: 'The code for a missing key is empty.',
  },
  {
    id: 'auth.missing_key_message',
    source: 'interface §7 row 401',
    says: 'The message for a missing key speaks of an invalid token.',
  },
  {
    id: 'auth.invalid_key_401',
    source: 'interface §7 row 401',
    says: 'A model call with an invalid key is 401.',
  },
  {
    id: 'auth.invalid_key_code',
    source: 'interface §7 row 401',
    says: 'The code for an invalid key is empty.',
  },
  { id: 'auth.key_form', source: 'interface §5 credentials', says: 'API keys start with sk-.' },
  {
    id: 'auth.access_token_form',
    source: 'interface §5 credentials',
    says: 'System access tokens do not start with sk-.',
  },
  {
    id: 'auth.messages_x_api_key',
    source: 'interface §5 headers',
    says: 'A messages call takes the key in x-api-key.',
  },
  {
    id: 'auth.messages_bearer',
    source: 'interface §5 headers',
    says: 'A messages call takes the key as a bearer credential too.',
  },
  {
    id: 'auth.token_on_model_call',
    source: 'interface §5 rule 2',
    says: 'A system access token fails on a model call.',
  },
  {
    id: 'auth.token_on_usage',
    source: 'interface §1 item 8; §5 rule 2',
    says: 'A system access token fails on the usage reads.',
  },
  {
    id: 'auth.key_on_account',
    source: 'interface §4 note 7; §5 rule 2',
    says: 'An API key fails on the account read.',
  },
  {
    id: 'auth.user_header_needed',
    source: 'interface §5 rule 3',
    says: 'An account call without New-Api-User fails.',
  },
  {
    id: 'auth.user_owns_token',
    source: 'interface §5 headers',
    says: 'The user id has to be the one that owns the token.',
  },
  {
    id: 'auth.missing_token_401',
    source: 'interface §5 rule 6',
    says: 'The account read without a token is 401.',
  },
  {
    id: 'auth.missing_token_body',
    source: 'interface §5 rule 6',
    says: 'That 401 is an object of success false and a message.',
  },
  {
    id: 'auth.old_token_stops',
    source: 'interface §5 credentials item 2',
    says: 'A system access token that was regenerated stops working.',
  },
  {
    id: 'auth.new_token_works',
    source: 'interface §5 credentials item 2',
    says: 'The new one takes its place.',
  },
  { id: 'sites.mismatch_403', source: 'interface §5 rule 4', says: 'A key of another site is 403.' },
  {
    id: 'sites.mismatch_code',
    source: 'interface §5 rule 4; §7 row 403',
    says: 'The code of that 403 is key_site_mismatch.',
  },
  {
    id: 'sites.mismatch_message',
    source: 'interface §7 case 1',
    says: 'Its message names the right base or asks to create a key here.',
  },
  {
    id: 'sites.credit_not_shared',
    source: 'interface §1 item 7; §5 rule 4',
    says: 'A key of another site spends no credit of this one.',
  },
  // versions and paths
  {
    id: 'version.header_optional',
    source: 'interface §5 headers; §9 item 2',
    says: 'A messages call works without the version header.',
  },
  {
    id: 'version.header_date',
    source: 'interface §5 headers; §9 item 2',
    says: 'A messages call takes a version header in date form.',
  },
  {
    id: 'version.description_date',
    source: 'interface §9 item 1',
    says: 'The machine-readable description has a version in date form.',
  },
  {
    id: 'paths.messages_root',
    source: 'interface §1 base addresses',
    says: 'The messages path stands at the host root, not below a second /v1.',
  },
  { id: 'paths.model_calls_v1', source: 'interface §9 item 3', says: 'Model calls stand below /v1.' },
  { id: 'paths.account_calls_api', source: 'interface §9 item 3', says: 'Account calls stand below /api.' },
  { id: 'paths.pricing_unprefixed', source: 'interface §9 item 3', says: 'The pricing view has no prefix.' },
  // errors
  {
    id: 'errors.error_object',
    source: 'interface §7 model-call error body',
    says: 'A failed model call answers with an object that holds error.',
  },
  {
    id: 'errors.message_string',
    source: 'interface §7 model-call error body',
    says: 'message of an error is a string.',
  },
  {
    id: 'errors.type_string',
    source: 'interface §7 model-call error body',
    says: 'type of an error is a string.',
  },
  {
    id: 'errors.code_string',
    source: 'interface §7 model-call error body',
    says: 'code of an error is a string.',
  },
  {
    id: 'errors.english',
    source: 'interface §7 model-call error body',
    says: 'Messages are English whatever language is asked for.',
  },
  {
    id: 'errors.request_id',
    source: 'interface §7 model-call error body',
    says: 'Messages include a request id.',
  },
  {
    id: 'errors.code_empty',
    source: 'interface §7 model-call error body',
    says: 'Where there is no named reason the code is empty.',
  },
  { id: 'errors.malformed_400', source: 'interface §7 other rules', says: 'A malformed request is 400.' },
  {
    id: 'errors.account_success_false',
    source: 'interface §7 account-call error body',
    says: 'A failed account call has success false.',
  },
  {
    id: 'errors.account_message',
    source: 'interface §7 account-call error body',
    says: 'A failed account call has a message.',
  },
  {
    id: 'errors.account_no_error_object',
    source: 'interface §7 account-call error body',
    says: 'A failed account call has no error object of model calls.',
  },
  {
    id: 'errors.account_blocked_403',
    source: 'interface §7 row 403',
    says: 'A call of a blocked account is 403.',
  },
  {
    id: 'errors.key_not_permitted_403',
    source: 'interface §7 row 403',
    says: 'A call with a key that is not permitted is 403.',
  },
  { id: 'errors.access_denied', source: 'interface §7 row 403', says: 'The code of both is access_denied.' },
  { id: 'credit.spent_key_402', source: 'interface §7 row 402', says: 'A key without credit is 402.' },
  {
    id: 'credit.negative_balance_402',
    source: 'interface §7 row 402',
    says: 'A negative account balance is 402.',
  },
  {
    id: 'credit.estimate_403',
    source: 'interface §7 row 403',
    says: 'An estimate that the balance does not cover is 403.',
  },
  {
    id: 'credit.code_402',
    source: 'interface §7 row 402',
    says: 'The code of that 402 is insufficient_user_quota.',
  },
  {
    id: 'credit.code_403',
    source: 'interface §7 row 403',
    says: 'The code of that 403 is insufficient_user_quota.',
  },
  {
    id: 'credit.message_balance',
    source: 'interface §7 case 2',
    says: 'The message about credit states the balance in USD.',
  },
  {
    id: 'credit.media',
    source: 'interface §8 credit',
    says: 'Images and videos fail where credit does not cover them.',
  },
  {
    id: 'credit.added_then_taken',
    source: 'interface §7 case 2',
    says: 'Once credit was added the call is taken.',
  },
  { id: 'limits.rate_429', source: 'interface §7 row 429; §8', says: 'Calls above the rate are 429.' },
  {
    id: 'limits.concurrency_429',
    source: 'interface §7 row 429; §8',
    says: 'Calls above the concurrency are 429.',
  },
  { id: 'limits.no_credit_error', source: 'interface §7 row 429', says: 'A 429 is no credit error.' },
  {
    id: 'limits.retry_after',
    source: 'interface §7 case 6',
    says: 'After Retry-After the call is taken again.',
  },
  { id: 'upstream.crowded_429', source: 'interface §7 row 429', says: 'A busy upstream channel is 429.' },
  {
    id: 'upstream.crowded_code',
    source: 'interface §7 row 429; upstream codes',
    says: 'Its code is upstream_crowded.',
  },
  {
    id: 'upstream.unavailable_502',
    source: 'interface §7 row 502',
    says: 'An upstream channel that is unavailable is 502.',
  },
  {
    id: 'upstream.unavailable_code',
    source: 'interface §7 row 502; upstream codes',
    says: 'Its code is upstream_unavailable.',
  },
  {
    id: 'upstream.rejected_code',
    source: 'interface §7 upstream codes',
    says: 'What a provider rejects for a reason other than its shape has the code upstream_rejected.',
  },
  {
    id: 'upstream.error_code',
    source: 'interface §7 row 5xx; upstream codes',
    says: 'The code of other server errors is upstream_error.',
  },
  {
    id: 'upstream.short_message',
    source: 'interface §7 other rules',
    says: 'Upstream failures carry a short sentence and the request id.',
  },
  {
    id: 'upstream.provider_text',
    source: 'interface §7 other rules',
    says: '400, 413 and 422 carry the text of the provider.',
  },
  // text
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
  // images
  {
    id: 'images.generation_200',
    source: 'interface §4 POST /v1/images/generations',
    says: 'A generation answers 200.',
  },
  { id: 'images.created_integer', source: 'interface §2 image response', says: 'created is an integer.' },
  { id: 'images.data_array', source: 'interface §2 image response', says: 'data is an array.' },
  { id: 'images.format_url', source: 'interface §2 image response', says: 'response_format url fills url.' },
  {
    id: 'images.format_b64_json',
    source: 'interface §2 image response',
    says: 'response_format b64_json fills b64_json.',
  },
  {
    id: 'images.format_others',
    source: 'interface §2 image edit request',
    says: 'response_format has no other values.',
  },
  {
    id: 'images.model_required',
    source: 'interface §2 image generation request',
    says: 'model is required.',
  },
  {
    id: 'images.prompt_required',
    source: 'interface §2 image generation request',
    says: 'prompt is required.',
  },
  {
    id: 'images.size_square',
    source: 'interface §2 image edit request',
    says: '1024x1024 is a size to start with.',
  },
  {
    id: 'images.qualities',
    source: 'interface §2 image edit request',
    says: 'quality is auto, low, medium or high.',
  },
  {
    id: 'images.quality_others',
    source: 'interface §2 image edit request',
    says: 'quality has no other values.',
  },
  {
    id: 'images.shared_options',
    source: 'interface §2 image generation request',
    says: 'A generation has the options of an edit.',
  },
  { id: 'edits.json', source: 'interface §2 image edit request', says: 'An edit is sent as JSON.' },
  {
    id: 'edits.multipart',
    source: 'interface §2 image edit request',
    says: 'An edit is sent as multipart/form-data.',
  },
  { id: 'edits.answer_200', source: 'interface §4 POST /v1/images/edits', says: 'An edit answers 200.' },
  { id: 'edits.image_required', source: 'interface §2 image edit request', says: 'image is required.' },
  {
    id: 'edits.image_string',
    source: 'interface §2 image edit request',
    says: 'In JSON, image is a string.',
  },
  { id: 'edits.prompt_required', source: 'interface §2 image edit request', says: 'prompt is required.' },
  { id: 'edits.model_required', source: 'interface §2 image edit request', says: 'model is required.' },
  { id: 'edits.n_only_one', source: 'interface §2 image edit request; §8', says: 'n above 1 is refused.' },
  { id: 'edits.n_one', source: 'interface §2 image edit request; §8', says: 'n of 1 is taken.' },
  {
    id: 'edits.n_default',
    source: 'interface §2 image edit request; §8',
    says: 'Without n one image is made.',
  },
  {
    id: 'jobs.generation_202',
    source: 'interface §4 POST /v1/images/generations/jobs',
    says: 'A generation job answers 202.',
  },
  {
    id: 'jobs.edit_202',
    source: 'interface §4 POST /v1/images/edits/jobs',
    says: 'An edit job answers 202.',
  },
  {
    id: 'jobs.generation_same_body',
    source: 'interface §4 POST /v1/images/generations/jobs',
    says: 'A generation job takes the body of a generation.',
  },
  {
    id: 'jobs.edit_same_body',
    source: 'interface §4 POST /v1/images/edits/jobs',
    says: 'An edit job takes the body of an edit.',
  },
  { id: 'jobs.job_id_string', source: 'interface §2 image job', says: 'job_id is a string.' },
  {
    id: 'jobs.status_on_submit',
    source: 'interface §2 image job; §3',
    says: 'An accepted job has a status, one of the four.',
  },
  {
    id: 'jobs.status_on_read',
    source: 'interface §2 image job; §3',
    says: 'A job that is read has a status, one of the four.',
  },
  {
    id: 'jobs.read_200',
    source: 'interface §4 GET /v1/images/jobs/{job_id}',
    says: 'A read of a job answers 200.',
  },
  { id: 'jobs.read_same_id', source: 'interface §3 rule 2', says: 'A job keeps its identifier.' },
  {
    id: 'jobs.unknown_404',
    source: 'interface §7 image and video failures',
    says: 'A job that does not exist is 404.',
  },
  {
    id: 'jobs.foreign_404',
    source: 'interface §4 GET /v1/images/jobs/{job_id}',
    says: 'A job of another account is 404.',
  },
  {
    id: 'jobs.early_result_409',
    source: 'interface §3 rule 4; §7',
    says: 'The result of a job that is not completed is 409.',
  },
  {
    id: 'jobs.result_200',
    source: 'interface §4 GET /v1/images/jobs/{job_id}/result',
    says: 'The result of a completed job answers 200.',
  },
  {
    id: 'jobs.result_image',
    source: 'interface §4 GET /v1/images/jobs/{job_id}/result',
    says: 'The result is an image response.',
  },
  {
    id: 'jobs.result_url',
    source: 'interface §4 GET /v1/images/jobs/{job_id}/result',
    says: 'The query may ask for url.',
  },
  {
    id: 'jobs.result_b64_json',
    source: 'interface §4 GET /v1/images/jobs/{job_id}/result',
    says: 'The query may ask for b64_json.',
  },
  {
    id: 'jobs.failed_read_200',
    source: 'interface §3 rule 1',
    says: 'The read of a failed job can answer 200.',
  },
  { id: 'jobs.failed_status', source: 'interface §3 rule 3', says: 'A failed job has the status failed.' },
  { id: 'jobs.failed_error', source: 'interface §3 rule 3', says: 'A failed job has an error.' },
  {
    id: 'jobs.failed_refund',
    source: 'interface §3 rule 3',
    says: 'The credit of a failed job comes back in usage.',
  },
  {
    id: 'jobs.unsupported_refused',
    source: 'interface §4 note 1',
    says: 'A route without jobs refuses them for good.',
  },
  {
    id: 'jobs.unsupported_falls_back',
    source: 'interface §4 note 1; §7',
    says: 'The synchronous endpoint works in their place.',
  },
  // videos
  { id: 'videos.create_200', source: 'interface §4 POST /v1/videos', says: 'Creating a task answers 200.' },
  {
    id: 'videos.alias',
    source: 'interface §4 POST /v1/videos/generations',
    says: 'The alias creates a task as well.',
  },
  { id: 'videos.model_required', source: 'interface §2 video request', says: 'model is required.' },
  { id: 'videos.prompt_required', source: 'interface §2 video request', says: 'prompt is required.' },
  { id: 'videos.id_string', source: 'interface §2 video task', says: 'id is a string.' },
  { id: 'videos.object_string', source: 'interface §2 video task', says: 'object is a string.' },
  { id: 'videos.model_string', source: 'interface §2 video task', says: 'model is a string.' },
  { id: 'videos.status_string', source: 'interface §2 video task', says: 'status is a string.' },
  { id: 'videos.created_at_integer', source: 'interface §2 video task', says: 'created_at is an integer.' },
  {
    id: 'videos.accepted_unfinished',
    source: 'interface §2 video task',
    says: 'A created task is accepted, not finished.',
  },
  { id: 'videos.status_named', source: 'interface §3', says: 'The status is one of the four.' },
  {
    id: 'videos.read_200',
    source: 'interface §4 GET /v1/videos/{task_id}',
    says: 'A read of a task answers 200.',
  },
  {
    id: 'videos.read_same_id',
    source: 'interface §2 video task; §3 rule 2',
    says: 'The id of a task is the one used in paths.',
  },
  {
    id: 'videos.content_200',
    source: 'interface §4 GET /v1/videos/{task_id}/content',
    says: 'The content of a completed task answers 200.',
  },
  {
    id: 'videos.content_type',
    source: 'interface §4 GET /v1/videos/{task_id}/content',
    says: 'The content is called video/mp4.',
  },
  {
    id: 'videos.content_mp4',
    source: 'interface §3 rule 5',
    says: 'The content of a completed task is an MP4.',
  },
  {
    id: 'videos.no_early_content',
    source: 'interface §3 rule 5; §7',
    says: 'Before completion there is no MP4.',
  },
  {
    id: 'videos.content_again',
    source: 'interface §4 note 4',
    says: 'The content endpoint gives the file again.',
  },
  {
    id: 'videos.failed_read_200',
    source: 'interface §3 rule 1; §7',
    says: 'The read of a failed task can answer 200.',
  },
  { id: 'videos.failed_status', source: 'interface §3 rule 3', says: 'A failed task has the status failed.' },
  {
    id: 'videos.failed_code',
    source: 'interface §2 video task; §7',
    says: 'The error of a failed task has a code.',
  },
  {
    id: 'videos.failed_message',
    source: 'interface §2 video task; §7',
    says: 'The error of a failed task has a message.',
  },
  {
    id: 'videos.failed_refund',
    source: 'interface §3 rule 3',
    says: 'The credit of a failed task comes back in usage.',
  },
  {
    id: 'videos.reference_seconds',
    source: 'interface §4 note 3; §8',
    says: 'Reference videos above 10 seconds are refused.',
  },
  {
    id: 'videos.reference_lines',
    source: 'interface §4 note 3; §8',
    says: 'Reference videos above 720p are refused.',
  },
  {
    id: 'videos.no_edits',
    source: 'interface §4 note 3',
    says: 'Edits, remix and extensions are not offered.',
  },
  // account
  {
    id: 'account.read_200',
    source: 'interface §4 GET /api/user/self',
    says: 'The account read answers 200.',
  },
  { id: 'account.success_true', source: 'interface §4 GET /api/user/self', says: 'It says success true.' },
  {
    id: 'account.data',
    source: 'interface §4 GET /api/user/self',
    says: 'The account record stands in data.',
  },
  { id: 'account.id', source: 'interface §2 account record', says: 'id is the value of New-Api-User.' },
  { id: 'account.quota', source: 'interface §2 account record', says: 'quota is the credit that remains.' },
  {
    id: 'account.used_quota',
    source: 'interface §2 account record',
    says: 'used_quota is what has been used.',
  },
  {
    id: 'account.request_count',
    source: 'interface §2 account record',
    says: 'request_count is the number of requests.',
  },
  {
    id: 'account.all_keys',
    source: 'interface §2 account record',
    says: 'The record is that of the account, not of one key.',
  },
  // usage
  { id: 'usage.totals_200', source: 'interface §4 GET /v1/usage', says: 'The totals answer 200.' },
  {
    id: 'usage.requests_200',
    source: 'interface §4 GET /v1/usage/requests',
    says: 'A page of records answers 200.',
  },
  { id: 'usage.of_one_key', source: 'interface §1 item 5', says: 'Usage is that of one key.' },
  {
    id: 'charging.completed_is_charged',
    source: 'interface §1 item 6',
    says: 'A completed model request is charged.',
  },
  {
    id: 'charging.record_model',
    source: 'interface §1 item 6',
    says: 'A record has the model of its request.',
  },
  {
    id: 'charging.record_tokens',
    source: 'interface §1 item 6',
    says: 'A record has the token counts of its request.',
  },
  {
    id: 'charging.request_ids_differ',
    source: 'interface §1 item 6',
    says: 'A record has a request id, by which requests are told apart.',
  },
  {
    id: 'charging.refused_is_free',
    source: 'interface §1 item 6',
    says: 'A request that was refused is not charged.',
  },
  {
    id: 'records.usage_estimated',
    source: 'interface §2 usage request record',
    says: 'usage_estimated is a boolean.',
  },
  { id: 'records.id', source: 'interface §2 usage request record', says: 'id is a string.' },
  { id: 'records.request_id', source: 'interface §2 usage request record', says: 'request_id is a string.' },
  {
    id: 'records.created_at',
    source: 'interface §2 usage request record',
    says: 'created_at is an integer.',
  },
  { id: 'records.model', source: 'interface §2 usage request record', says: 'model is a string.' },
  { id: 'records.result', source: 'interface §2 usage request record', says: 'result is a string.' },
  {
    id: 'records.billing_status',
    source: 'interface §2 usage request record',
    says: 'billing_status is a string.',
  },
  {
    id: 'records.amount',
    source: 'interface §2 usage request record',
    says: 'amount is a USD amount as a string.',
  },
  {
    id: 'records.reserved_amount',
    source: 'interface §2 usage request record',
    says: 'reserved_amount is a USD amount as a string.',
  },
  {
    id: 'records.refunded_amount',
    source: 'interface §2 usage request record',
    says: 'refunded_amount is a USD amount as a string.',
  },
  {
    id: 'records.input_tokens',
    source: 'interface §2 usage request record',
    says: 'input_tokens is an integer.',
  },
  {
    id: 'records.output_tokens',
    source: 'interface §2 usage request record',
    says: 'output_tokens is an integer.',
  },
  {
    id: 'records.cache_read_tokens',
    source: 'interface §2 usage request record',
    says: 'cache_read_tokens is an integer.',
  },
  {
    id: 'records.cache_write_tokens',
    source: 'interface §2 usage request record',
    says: 'cache_write_tokens is an integer.',
  },
  {
    id: 'records.pricebook_id',
    source: 'interface §2 usage request record',
    says: 'pricebook_id is a string.',
  },
  {
    id: 'records.pricing_version',
    source: 'interface §2 usage request record',
    says: 'pricing_version is a string.',
  },
  {
    id: 'records.result_completed',
    source: 'interface §2 usage request record',
    says: 'The result of a completed request is completed.',
  },
  {
    id: 'records.status_settled',
    source: 'interface §2 usage request record',
    says: 'The billing_status of a charged request is settled.',
  },
  {
    id: 'totals.settled_amount',
    source: 'interface §2 usage totals',
    says: 'settled_amount is a USD amount as a string.',
  },
  {
    id: 'totals.pending_amount',
    source: 'interface §2 usage totals',
    says: 'pending_amount is a USD amount as a string.',
  },
  {
    id: 'totals.refunded_amount',
    source: 'interface §2 usage totals',
    says: 'refunded_amount is a USD amount as a string.',
  },
  { id: 'totals.records', source: 'interface §2 usage totals', says: 'records is an integer.' },
  {
    id: 'totals.unknown_records',
    source: 'interface §2 usage totals',
    says: 'unknown_records is an integer.',
  },
  { id: 'totals.start_time', source: 'interface §2 usage totals', says: 'start_time is an integer.' },
  { id: 'totals.end_time', source: 'interface §2 usage totals', says: 'end_time is an integer.' },
  { id: 'totals.currency', source: 'interface §2 usage totals', says: 'currency is USD.' },
  { id: 'totals.by_model_array', source: 'interface §2 usage totals', says: 'by_model is an array.' },
  {
    id: 'totals.by_model_figures',
    source: 'interface §2 usage totals',
    says: 'Items of by_model carry the five figures.',
  },
  {
    id: 'totals.by_model_model',
    source: 'interface §2 usage totals',
    says: 'Items of by_model name their model.',
  },
  {
    id: 'totals.by_model_splits',
    source: 'interface §2 usage totals',
    says: 'by_model has an item for each model.',
  },
  { id: 'totals.daily_array', source: 'interface §2 usage totals', says: 'daily is an array.' },
  {
    id: 'totals.daily_figures',
    source: 'interface §2 usage totals',
    says: 'Items of daily carry the five figures.',
  },
  {
    id: 'totals.daily_date',
    source: 'interface §2 usage totals',
    says: 'date of daily has the form YYYY-MM-DD.',
  },
  { id: 'totals.daily_utc', source: 'interface §2 usage totals', says: 'date of daily is a day in UTC.' },
  { id: 'totals.records_counted', source: 'interface §2 usage totals', says: 'records counts the records.' },
  {
    id: 'totals.settled_is_spend',
    source: 'interface §1 item 5; §2 usage totals',
    says: 'settled_amount is what was spent.',
  },
  { id: 'page.currency', source: 'interface §4 usage requests response', says: 'currency is USD.' },
  { id: 'page.data', source: 'interface §4 usage requests response', says: 'data is an array of records.' },
  {
    id: 'page.next_cursor',
    source: 'interface §4 usage requests response',
    says: 'next_cursor is a string.',
  },
  { id: 'page.has_more', source: 'interface §4 usage requests response', says: 'has_more is a boolean.' },
  {
    id: 'page.start_time',
    source: 'interface §4 usage requests response',
    says: 'start_time is an integer.',
  },
  { id: 'page.end_time', source: 'interface §4 usage requests response', says: 'end_time is an integer.' },
  {
    id: 'page.has_more_left',
    source: 'interface §4 usage requests response',
    says: 'has_more tells whether records are left.',
  },
  { id: 'page.limit', source: 'interface §4 query parameters', says: 'limit is the size of a page.' },
  {
    id: 'page.before',
    source: 'interface §4 query parameters',
    says: 'before takes the next_cursor of the page before.',
  },
  {
    id: 'page.same_filters',
    source: 'interface §4 query parameters',
    says: 'A cursor goes on with the same filters.',
  },
  {
    id: 'page.same_window',
    source: 'interface §4 query parameters',
    says: 'A cursor goes on in the same window.',
  },
  { id: 'window.start_inclusive', source: 'interface §4 query parameters', says: 'start_time is inclusive.' },
  { id: 'window.end_exclusive', source: 'interface §4 query parameters', says: 'end_time is exclusive.' },
  {
    id: 'window.default_start',
    source: 'interface §4 query parameters; §8',
    says: 'start_time is 30 days before end_time by default.',
  },
  { id: 'window.default_end', source: 'interface §4 query parameters', says: 'end_time is now by default.' },
  {
    id: 'window.31_days',
    source: 'interface §4 query parameters; §8',
    says: 'A window of 31 days is served.',
  },
  {
    id: 'window.above_31_days',
    source: 'interface §4 query parameters; §8',
    says: 'A longer window is refused.',
  },
  {
    id: 'window.start_minimum',
    source: 'interface §4 query parameters; §8',
    says: 'start_time below 1 is refused.',
  },
  { id: 'window.start_one', source: 'interface §4 query parameters; §8', says: 'start_time of 1 is taken.' },
  {
    id: 'window.end_minimum',
    source: 'interface §4 query parameters; §8',
    says: 'end_time below 1 is refused.',
  },
  {
    id: 'window.start_integer',
    source: 'interface §4 query parameters; §8',
    says: 'start_time is an integer.',
  },
  { id: 'window.end_integer', source: 'interface §4 query parameters; §8', says: 'end_time is an integer.' },
  {
    id: 'window.int64',
    source: 'interface §4 query parameters; §8',
    says: 'Times go up to the largest int64.',
  },
  {
    id: 'window.above_int64',
    source: 'interface §4 query parameters; §8',
    says: 'Times beyond int64 are refused.',
  },
  { id: 'filters.model_exact', source: 'interface §4 query parameters', says: 'model selects one exact id.' },
  {
    id: 'filters.model_191',
    source: 'interface §4 query parameters; §8',
    says: 'model of 191 characters is taken.',
  },
  {
    id: 'filters.model_192',
    source: 'interface §4 query parameters; §8',
    says: 'A longer model is refused.',
  },
  {
    id: 'filters.request_id',
    source: 'interface §4 query parameters',
    says: 'request_id selects a recorded request.',
  },
  {
    id: 'filters.funding_receipt',
    source: 'interface §4 query parameters',
    says: 'request_id selects what a funding receipt has paid.',
  },
  {
    id: 'filters.request_id_64',
    source: 'interface §4 query parameters; §8',
    says: 'request_id of 64 characters is taken.',
  },
  {
    id: 'filters.request_id_65',
    source: 'interface §4 query parameters; §8',
    says: 'A longer request_id is refused.',
  },
] as const satisfies readonly Requirement[];

export type RequirementId = (typeof REQUIREMENTS)[number]['id'];
