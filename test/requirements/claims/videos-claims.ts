import type { Requirement } from './requirement.ts';

/** What the interface says of videos. */
export const VIDEOS_CLAIMS = [
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
] as const satisfies readonly Requirement[];
