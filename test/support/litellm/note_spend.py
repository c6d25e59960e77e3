"""Notes each call as the row that LiteLLM's proxy would write into its table of spend: by its own code, without its database."""

import json
import os

from litellm.integrations.custom_logger import CustomLogger
from litellm.proxy.spend_tracking.spend_tracking_utils import get_logging_payload


class NoteSpend(CustomLogger):
    def note(self, kwargs, response, start, end):
        row = get_logging_payload(kwargs, response, start, end)
        with open(os.environ["NOTE_SPEND_TO"], "a", encoding="utf-8") as file:
            file.write(json.dumps(row, default=str) + "\n")

    async def async_log_success_event(self, kwargs, response_obj, start_time, end_time):
        self.note(kwargs, response_obj, start_time, end_time)

    async def async_log_failure_event(self, kwargs, response_obj, start_time, end_time):
        self.note(kwargs, response_obj, start_time, end_time)


note_spend = NoteSpend()
