"""Says what each condition of a world takes away, and what an accusation that needs it is lowered to.

A condition is name=value: a reading of the embedded gateway, a manner of audit, or what nobody declares. The source is
the interface and the list of readings alone, never the auditor.
"""

NO = "no"
BOUNDED = "bounded"
CHARGE, RESERVE, LONGEST, QUANTUM = "charge", "reserve", "longest_output", "quantum"

RENAMED = ("values=other", "values=voided", "values=waived", "values=never_settled")
OTHER_NAMES = ("record_model=dated", "record_model=prefixed", "record_model=upper_case")


def gone(conditions, because):
    """Lowers to `no`: an honest gateway shows the same."""
    return [{"when": one.split(" & "), "to": NO, "because": because} for one in conditions]


def kept(conditions, because, bound, bound_usd=None):
    """Lowers to `bounded`: a part, or a habit, still condemns."""
    return [{"when": one.split(" & "), "to": BOUNDED, "because": because, "bound": bound, "bound_usd": bound_usd}
            for one in conditions]


# Spellings of a model that are not the asked one.
SPELT = ["dated", "prefixed", "upper_case"]

UNCOUNTED = ["by=month & output_tokens=without_reasoning"]

# What one gateway prices under one name another may price under that of a route.
UNNAMED = gone([f"by=month & record_model={name}" for name in SPELT],
               "Without calls no name of a record has an asked name.")

# An answer without its reasoning, beside whose count it is charged.
BESIDE = "output_tokens=without_reasoning & call=reasoning_untold"

# Evidence that a fault may need -> what takes it away.
EVIDENCE = {
    "records": gone(["missing=usage"], "No usage read is served, so nothing is recorded that could be wrong."),
    "price": gone(["missing=pricebook"], "No price list is served, so nothing tells what is due.")
    + kept(["book_declares=false"], "The price list tells no rounding, so each rounding is permitted.",
           "What passes one quantum is certain.", QUANTUM)
    + kept(["factor=untold"], "A factor that no document tells stands on each row of its scope.",
           "Due is from the published price to that price times the factor of the other rows.", CHARGE)
    + kept(["settling=untold & values=never_settled"], "No word of the records says that an amount is final.",
           "The amount may still change: at most the charge.", CHARGE)
    + gone(["by=month & book_declares=false"], "No list tells what the counts of a record hold.")
    + gone(UNCOUNTED, "Without calls nothing tells how much reasoning was charged beside the counts.")
    + UNNAMED,
    "sum": kept(["missing=pricebook"], "No price list is served, so nothing tells what it comes to.",
                "The call is named; its sum stays untold.")
    + kept([BESIDE], "This answer does not tell the reasoning that is charged beside its output.",
           "The call is named; its sum stays untold."),
    "completed": gone(["call=failed"], "A call that failed may cost anything up to its price (interface 7)."),
    "rule": gone(["missing=pricebook"], "No price list is served, so no rule of rounding is told.")
    + gone(["book_declares=false"], "The price list tells no rule of rounding that could be broken.")
    + gone(["factor=untold"], "A factor with untold digits moves the amount before it is rounded.")
    + gone(UNCOUNTED, "Without calls nothing tells how much reasoning was charged beside the counts.")
    + UNNAMED,
    "alone_in_scope": kept(["scope=whole"], "On each row of a scope it is an untold term: a factor or a least charge.",
                           "One finding a scope: at most what is charged above the published price.", CHARGE),
    "cheap_in_scope": gone(["scope=whole"], "An untold factor of the whole scope excuses a charge that it lowers."),
    "outcome": gone(["by=month"], "Records alone do not tell how the call ended for its client."),
    "usage": gone(["by=month"], "Records alone do not tell what usage the answer told.")
    + gone(["call=usage_untold"], "This answer told no usage: a stream need not (reading 18)."),
    "id": gone(["request_id=errors_only"], "No successful answer tells its id, and another pairing explains the records."),
    "count": kept(["request_id=errors_only"], "Calls and records are counted per model; which one it is stays open.",
                  "At most the dearest charge that fits no call.", CHARGE)
    + gone(["key=shared & request_id=errors_only"], "Another program's calls with the same key explain the count."),
    "asked": gone(["by=month", "by=ledger"],
                  "A record tells neither size, seconds, tier nor tools, and the charge is permitted for others."),
    "apart": kept(["request_id=errors_only"],
                  "Which of the model's calls it is stays open, but none of them asked for what is charged.",
                  "What all charges of the model differ by from what its calls owe.")
    + gone(["request_id=errors_only & call=crowded"],
           "A call of the same model that did not end well may be charged anything up to its price.")
    + gone(["key=shared & request_id=errors_only"], "Another program's calls with the same key explain the charge.")
    + gone(["request_id=errors_only & settling=untold & values=never_settled"],
           "An open record of the model may still settle, whichever call it is of."),
    "all_calls": gone(["by=month"], "Without a ledger any record may be a call of our own.")
    + gone(["key=shared"], "Another program with the same key may have made the call.")
    + kept(["by=ledger"], "Only the user's word says that a foreign ledger is whole.",
           "At most the charge of the record.", CHARGE),
    "no_inner_retry": gone(["call_records=inner_retries"], "A record of an inner retry has an id that no client saw."),
    "settling": gone(["settling=untold"], "Nobody declares how long settling takes, so it may still come right."),
    "two_reads": gone(["by=month", "by=ledger"], "What is read once has changed for nobody."),
    "editions": gone(["by=month", "by=ledger"], "Nobody saw the superseded price list, and it is no longer served."),
    "longest": gone(["missing=pricebook", "book_layout=ratio", "book_layout=per_token"],
                    "The price list does not tell the longest output of the model."),
    "open_word": gone(RENAMED, "The word of the record is unexplained: zero under it can be final."),
    "settled_word": gone(["values=never_settled"], "No word says settled, and zero under another word is a free call."),
    "failed_word": kept(["by=month"], "Only the record's own word says that the call failed.",
                        "At most the charge.", CHARGE)
    + gone([f"by=month & {one}" for one in RENAMED], "The word is unexplained, so nothing says that the call failed."),
    "one_failed_record": kept(
        [f"settling=untold & {one}" for one in ("failed_call=negative_record", "failed_call=refund_record",
                                                "call_records=reserve_and_settlement")],
        "The credit of a failed call is a record of its own that may still come.", "At most the charge.", CHARGE),
    "reserve": [{"when": [one], "to": "proved", "as": "amount_mismatch",
                 "because": "The record does not tell the reserve that it passed; the price condemns the amount."}
                for one in ("unused_reserve=rewritten", "unused_reserve=zeroed")],
    "same_name": kept(OTHER_NAMES, "That one asked name maps to one told name is a habit of the records.",
                      "An exception to a habit.")
    + gone([f"by=month & {one}" for one in OTHER_NAMES], "Without calls no name of a record has an asked name.")
    + gone(["missing=pricebook & call=name_unasked"],
           "Neither a list nor another call tells that the name is another model: it may be a route of the asked one."),
    "own_rows": kept(["by=month", "request_id=errors_only"],
                     "No id of our own can be asked for; only a walk of another page size shows the row.",
                     "Rows that one complete walk shows and another does not."),
    "quiet": kept(["settling=untold"], "Rows that settle between two walks may change.",
                  "Rows that stood still in both walks.")
    + gone(["settling=untold & created_at=settlement"], "A row whose date moves as it settles changes pages."),
    "reasoning_told": gone(["missing=pricebook"], "No price list tells whether a count of output holds reasoning."),
    "reasoning": kept(["by=month"], "A record does not count reasoning, which may be charged beside its output.",
                      "An exception to the other rows of the model: at most the charge.", CHARGE),
    "cache_told": kept(["book_declares=false"], "The price list does not tell whether input holds cached tokens.",
                       "An exception to the other rows: at most the charge.", CHARGE),
    "cheap_failed_credit": kept(["by=month"], "Only the record's own word says that the call failed.",
                                "At most the reserve.", RESERVE)
    + gone(["by=month & failed_call=negative_record"],
           "A credit above its charge may be that of another record (reading 2)."),
}
