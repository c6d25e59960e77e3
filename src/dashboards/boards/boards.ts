import type { BoardSpec } from './board-spec.ts';
import { DAEMON_BOARD } from './daemon-board.ts';
import { ERRORS_BOARD } from './errors-board.ts';
import { LATENCY_BOARD } from './latency-board.ts';
import { LOAD_BOARD } from './load-board.ts';
import { OVERVIEW_BOARD } from './overview-board.ts';
import { PRICES_BOARD } from './prices-board.ts';
import { SPEND_BOARD } from './spend-board.ts';
import { STREAMS_BOARD, TASKS_BOARD } from './tasks-board.ts';

export const BOARDS: readonly BoardSpec[] = [
  OVERVIEW_BOARD,
  LATENCY_BOARD,
  ERRORS_BOARD,
  STREAMS_BOARD,
  TASKS_BOARD,
  SPEND_BOARD,
  PRICES_BOARD,
  LOAD_BOARD,
  DAEMON_BOARD,
];
