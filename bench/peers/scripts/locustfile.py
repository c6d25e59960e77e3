"""Users who read streams by hand, each at a steady pace: Locust knows neither events, first tokens nor arrivals."""

import itertools
import json
import os
import time

from locust import FastHttpUser, constant_throughput, events, task

LOAD = json.loads(os.environ["BENCH_LOAD"])
numbers = itertools.count()


class Reader(FastHttpUser):
    wait_time = constant_throughput(0.5)

    def report(self, name, milliseconds):
        self.environment.events.request.fire(
            request_type="SSE", name=name, response_time=milliseconds, response_length=0, exception=None, context={}
        )

    @task
    def read(self):
        body = {
            "model": LOAD["model"],
            "messages": [{"role": "user", "content": f"weigh load {next(numbers)} " * 12}],
            "max_tokens": LOAD["max_tokens"],
            "stream": True,
        }
        headers = {"authorization": f"Bearer {LOAD['key']}"}
        first, started = None, time.perf_counter()
        with self.client.post(
            "/v1/chat/completions", json=body, headers=headers, stream=True, catch_response=True
        ) as response:
            for line in iter(lambda: response.stream.readline(b"\n"), b""):
                if first is not None or not line.startswith(b"data: ") or line.startswith(b"data: [DONE]"):
                    continue
                choices = json.loads(line[6:])["choices"]
                if choices and choices[0]["delta"].get("content"):
                    first = time.perf_counter()
            response.success()
        if first is not None:
            self.report("ttft", (first - started) * 1000)
        self.report("e2e", (time.perf_counter() - started) * 1000)


@events.quitting.add_listener
def tell(environment, **_):
    def quantiles(name):
        entry = environment.stats.get(name, "SSE")
        if not entry.num_requests:
            return {"p50": None, "p99": None}
        return {"p50": entry.get_response_time_percentile(0.5), "p99": entry.get_response_time_percentile(0.99)}

    posted = environment.stats.get("/v1/chat/completions", "POST")
    with open(LOAD["out"], "w", encoding="utf8") as out:
        told = {"ttft": quantiles("ttft"), "e2e": quantiles("e2e")}
        json.dump({**told, "completed": posted.num_requests - posted.num_failures}, out)
