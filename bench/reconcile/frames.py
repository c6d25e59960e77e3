"""The same job in polars or pandas: parse, join, price in whole 10^-12 USD, count what does not fit.

`frames.py polars|pandas DIR` prints one line of JSON.
"""
import json
import resource
import sys
import time

engine, folder = sys.argv[1:3]
began = time.perf_counter()


def due(plain, read, output):
    exact = plain * 2_000_000 + read * 500_000 + output * 8_000_000
    return (exact + 5_000) // 10_000 * 10_000


if engine == "polars":
    import polars as pl

    usage = pl.Struct({"input": pl.Int64, "output": pl.Int64, "cache_read": pl.Int64})
    record = pl.Struct(
        {
            "request_id": pl.String,
            "amount": pl.String,
            "billing_status": pl.String,
            "input_tokens": pl.Int64,
            "output_tokens": pl.Int64,
        }
    )
    calls = (
        pl.scan_ndjson(
            f"{folder}/calls.ndjson", schema={"request_id": pl.String, "outcome": pl.String, "usage": usage}
        )
        .filter(pl.col("request_id").is_not_null())
        .unnest("usage")
    )
    records = pl.scan_ndjson(f"{folder}/records.ndjson", schema={"record": record}).select(
        pl.col("record").struct.unnest()
    )
    pico = (pl.col("amount").cast(pl.Float64) * 1e12).round().cast(pl.Int64)
    fits = (
        (pl.col("outcome") == "ok")
        & (pl.col("billing_status") == "settled")
        & (pl.col("input") == pl.col("input_tokens"))
        & (pl.col("output") == pl.col("output_tokens"))
        & (pico == due(pl.col("input") - pl.col("cache_read"), pl.col("cache_read"), pl.col("output")))
    )
    joined = calls.join(records, on="request_id", how="full", coalesce=True)
    counted = joined.select(fit=fits.fill_null(False).sum(), rows=pl.len()).collect()
    fit, rows = counted["fit"][0], counted["rows"][0]
else:
    import pandas as pd

    def frame(name, columns_of):
        parts = pd.read_json(f"{folder}/{name}", lines=True, chunksize=50_000, dtype=False, convert_dates=False)
        return pd.concat([columns_of(part) for part in parts], ignore_index=True)

    def calls_of(part):
        part = part[part["request_id"].notna()]
        usage = pd.DataFrame([entry if isinstance(entry, dict) else {} for entry in part["usage"]], index=part.index)
        return pd.concat([part[["request_id", "outcome"]], usage[["input", "output", "cache_read"]]], axis=1)

    def records_of(part):
        wanted = ["request_id", "amount", "billing_status", "input_tokens", "output_tokens"]
        return pd.DataFrame(list(part["record"]))[wanted]

    calls, records = frame("calls.ndjson", calls_of), frame("records.ndjson", records_of)
    joined = calls.merge(records, on="request_id", how="outer")
    pico = (joined["amount"].astype("float64") * 1e12).round()
    fits = (
        (joined["outcome"] == "ok")
        & (joined["billing_status"] == "settled")
        & (joined["input"] == joined["input_tokens"])
        & (joined["output"] == joined["output_tokens"])
        & (pico == due(joined["input"] - joined["cache_read"], joined["cache_read"], joined["output"]))
    )
    fit, rows = int(fits.sum()), len(joined)

spent = resource.getrusage(resource.RUSAGE_SELF)
print(
    json.dumps(
        {
            "engine": engine,
            "seconds": time.perf_counter() - began,
            "cpu_seconds": spent.ru_utime + spent.ru_stime,
            "peak_bytes": spent.ru_maxrss * 1024,
            "result": f"{fit} of {rows} rows fit",
            "stages": [],
        }
    )
)
