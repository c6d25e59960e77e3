"""Notes each call of a LiteLLM proxy as one JSON line: its standard logging payload without prompts and answers.

In the proxy's config.yaml, beside this file:

    litellm_settings:
      callbacks: [note_calls.note_calls]

The lines go to the file that NOTE_CALLS_TO names. Weighbridge reads them with --records-mapping litellm-payload.
"""

import json
import os

from litellm.integrations.custom_logger import CustomLogger

LEFT_OUT = ("messages", "response", "error_str")


class NoteCalls(CustomLogger):
    def note(self, kwargs):
        payload = kwargs.get("standard_logging_object")
        if payload is None:
            return
        kept = {name: value for name, value in payload.items() if name not in LEFT_OUT}
        # One write to a file opened for appending: lines of several workers do not mix.
        with open(os.environ["NOTE_CALLS_TO"], "a", encoding="utf-8") as file:
            file.write(json.dumps(kept, default=str) + "\n")

    async def async_log_success_event(self, kwargs, response_obj, start_time, end_time):
        self.note(kwargs)

    async def async_log_failure_event(self, kwargs, response_obj, start_time, end_time):
        self.note(kwargs)


note_calls = NoteCalls()
