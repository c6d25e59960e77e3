"""A user who reads streams by hand: Locust knows neither events nor first tokens."""

import json
import os
import time

from locust import FastHttpUser, constant, events, task
from locust.exception import StopUser

EACH = int(os.environ["BENCH_EACH"])
WORKERS = int(os.environ["BENCH_WORKERS"])
OUT = os.environ["BENCH_OUT"]
BODY = {
    "model": "aspen-mini",
    "messages": [{"role": "user", "content": "weigh this " * 18}],
    "max_tokens": 50,
    "stream": True,
}
done = 0


class Reader(FastHttpUser):
    wait_time = constant(0)

    def report(self, name, milliseconds, size=0):
        self.environment.events.request.fire(
            request_type="SSE", name=name, response_time=milliseconds, response_length=size, exception=None, context={}
        )

    @task
    def read(self):
        global done
        for _ in range(EACH):
            started = time.perf_counter()
            last = None
            with self.client.post("/v1/chat/completions", json=BODY, stream=True, catch_response=True) as response:
                for line in iter(lambda: response.stream.readline(b"\n"), b""):
                    if not line.startswith(b"data: ") or line.startswith(b"data: [DONE]"):
                        continue
                    choices = json.loads(line[6:])["choices"]
                    if not choices or not choices[0]["delta"].get("content"):
                        continue
                    now = time.perf_counter()
                    if last is None:
                        self.report("ttft", (now - started) * 1000)
                    else:
                        self.report("itl", (now - last) * 1000)
                    last = now
                response.success()
        done += 1  # a worker that breaks off leaves the run to its time limit, which the bench reports
        if done >= WORKERS:
            self.environment.runner.quit()
        raise StopUser


@events.quitting.add_listener
def tell(environment, **_):
    def quantile(name, share):
        entry = environment.stats.get(name, "SSE")
        return entry.get_response_time_percentile(share) if entry.num_requests else None

    posted = environment.stats.get("/v1/chat/completions", "POST")
    with open(OUT, "w", encoding="utf8") as out:
        json.dump(
            {
                "ttft_p50": quantile("ttft", 0.5),
                "ttft_p99": quantile("ttft", 0.99),
                "itl_p99": quantile("itl", 0.99),
                "completed": posted.num_requests - posted.num_failures,
                "failed": posted.num_failures,
                "events": environment.stats.get("itl", "SSE").num_requests
                + environment.stats.get("ttft", "SSE").num_requests,
            },
            out,
        )
