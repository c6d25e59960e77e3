"""The official clients in Python against a gateway: one JSON line for each case, with what the client read.

WB_URL, WB_KEY and WB_OTHER_KEY (one without credit) come from the test that starts this.
"""

import json
import os
import time

import anthropic
import openai

URL, KEY = os.environ["WB_URL"], os.environ["WB_KEY"]
HELLO = [{"role": "user", "content": "Tell me about the river."}]
MINI, BIRCH, CEDAR = "aspen-mini", "birch-4.1-mini", "cedar-haiku"


def clients(key):
    chat = openai.OpenAI(api_key=key, base_url=f"{URL}/v1", max_retries=0)
    return chat, anthropic.Anthropic(api_key=key, base_url=URL, max_retries=0)


client, claude = clients(KEY)
CASES = []


def case(run):
    CASES.append(run)
    return run


@case
def chat_plain():
    answer = client.chat.completions.create(model=MINI, messages=HELLO)
    choice = answer.choices[0]
    return {
        "request_id": answer._request_id,
        "text": choice.message.content,
        "finish": choice.finish_reason,
        "input": answer.usage.prompt_tokens,
        "output": answer.usage.completion_tokens,
    }


@case
def chat_streamed():
    chunks = list(
        client.chat.completions.create(
            model=MINI, messages=HELLO, stream=True, stream_options={"include_usage": True}
        )
    )
    usages = [chunk.usage for chunk in chunks if chunk.usage]
    choices = [choice for chunk in chunks for choice in chunk.choices]
    return {
        "request_id": chunks[0].id.removeprefix("chatcmpl-"),
        "text": "".join(choice.delta.content or "" for choice in choices),
        "finish": "".join(choice.finish_reason or "" for choice in choices),
        "usages": len(usages),
        "input": usages[0].prompt_tokens,
        "output": usages[0].completion_tokens,
    }


@case
def chat_stream_helper():
    with client.chat.completions.stream(model=MINI, messages=HELLO) as stream:
        deltas = [event.delta for event in stream if event.type == "content.delta"]
        final = stream.get_final_completion()
    return {
        "request_id": final.id.removeprefix("chatcmpl-"),
        "text": "".join(deltas),
        "whole": final.choices[0].message.content,
        "finish": final.choices[0].finish_reason,
    }


@case
def responses_plain():
    answer = client.responses.create(model=BIRCH, input="Tell me about rain.")
    cut = client.responses.create(model=BIRCH, input="Tell.", max_output_tokens=2)
    return {
        "request_id": answer._request_id,
        "text": answer.output_text,
        "finish": answer.status,
        "input": answer.usage.input_tokens,
        "output": answer.usage.output_tokens,
        "cut": [cut.status, cut.incomplete_details.reason, cut.usage.output_tokens],
    }


@case
def responses_streamed():
    events = list(client.responses.create(model=BIRCH, input="Tell me about snow.", stream=True))
    last = events[-1].response
    return {
        "request_id": last.id.removeprefix("resp_"),
        "text": "".join(event.delta for event in events if event.type == "response.output_text.delta"),
        "whole": last.output_text,
        "finish": events[-1].type,
        "first": events[0].type,
        "numbered": [event.sequence_number for event in events] == list(range(len(events))),
        "input": last.usage.input_tokens,
        "output": last.usage.output_tokens,
    }


@case
def messages_plain():
    message = claude.messages.create(model=CEDAR, max_tokens=3, messages=HELLO)
    return {
        "request_id": message._request_id,
        "text": message.content[0].text,
        "finish": message.stop_reason,
        "input": message.usage.input_tokens,
        "output": message.usage.output_tokens,
    }


@case
def messages_stream_helper():
    with claude.messages.stream(model=CEDAR, max_tokens=1000, messages=HELLO) as stream:
        text = "".join(stream.text_stream)
        final = stream.get_final_message()
    return {
        "request_id": final.id.removeprefix("msg_"),
        "text": text,
        "whole": final.content[0].text,
        "finish": final.stop_reason,
        "input": final.usage.input_tokens,
        "output": final.usage.output_tokens,
    }


@case
def image_generated():
    image = client.images.generate(
        model="lumen-image", prompt="a bridge", size="1024x1536", quality="high", response_format="b64_json"
    )
    return {"request_id": image._request_id, "png": image.data[0].b64_json.startswith("iVBOR")}


@case
def video_downloaded():
    task = client.videos.create(model="orbit-2", prompt="a ship", seconds="8")
    created, task_id = task._request_id, task.id
    while task.status in ("queued", "in_progress"):
        time.sleep(0.05)
        task = client.videos.retrieve(task_id)
    content = client.videos.download_content(task_id).read()
    return {"request_id": created, "finish": task.status, "film": content[4:8].decode("latin1")}


def error_of(run):
    try:
        run()
    except (openai.APIStatusError, anthropic.APIStatusError) as error:
        return error
    raise AssertionError("expected an error of the gateway, found an answer")


@case
def errors():
    stranger, _ = clients("sk-unknown")
    poor, _ = clients(os.environ["WB_OTHER_KEY"])
    found = {
        "unknown_key": error_of(lambda: stranger.chat.completions.create(model=MINI, messages=HELLO)),
        "no_credit": error_of(lambda: poor.chat.completions.create(model=MINI, messages=HELLO)),
        "no_model": error_of(lambda: client.chat.completions.create(model="no-such/model", messages=HELLO)),
        "no_claude": error_of(lambda: claude.messages.create(model="no-such", max_tokens=5, messages=HELLO)),
    }
    return {
        name: {"class": type(error).__name__, "status": error.status_code, "code": getattr(error, "code", None)}
        for name, error in found.items()
    }


for run in CASES:
    print(json.dumps({"case": run.__name__, **run()}))
