"""Lists the faults of charges: verdict with full evidence, why, the evidence that it needs, and its bound."""

from evidence import BESIDE, BOUNDED, CHARGE, LONGEST, NO, RENAMED, RESERVE, gone, kept

PROVED = "proved"
DUE = "The price list and the record's own counts tell one due charge."
ONCE = "Each completed request is charged once (interface 1.6); a second full charge is no permitted group of records."
FAILED = "Our own task failed, and its records do not sum to zero (interface 3.3)."
TOLD = "The answer told other usage than the record."


def cell(verdict, because, needs=(), bound=None, bound_usd=None, more=()):
    return {"verdict": verdict, "because": because, "needs": ("records", *needs), "bound": bound,
            "bound_usd": bound_usd, "more": list(more)}


def due(*needs, more=()):
    return cell(PROVED, DUE, ("price", "completed", *needs), more=more)


def told(*needs, more=()):
    return cell(PROVED, TOLD, ("id", "usage", "completed", "sum", *needs), more=more)


def variants(fault, cells):
    return {f"{fault}, variant {name}": one for name, one in cells.items()}


SCALED_UP = due("alone_in_scope")
SCALED_DOWN = due("cheap_in_scope")
PHANTOM = cell(PROVED, "The key is ours alone, our ledger is whole, and no call of ours has this id.",
               ("all_calls", "no_inner_retry", "count"))
ABSENT = cell(PROVED, "Our own call was completed, and after the declared time no record tells of it (interface 1.6).",
              ("outcome", "settling", "count", "sum"), more=gone(
                  ["request_id=errors_only & call=crowded"],
                  "A call of the same model that did not end well may lack its record instead.") + gone(
                  [f"request_id={told} & call=failed" for told in ("headers", "one_header", "other_header", "in_body")],
                  "A call that failed is not completed, and need not be recorded (reading 5)."))
FREE_WORD = gone([f"{word} & failed_call={form}" for word in RENAMED for form in ("refunded", "no_record")],
                 "Its amount is zero under a word that nobody explains: a free call (reading 4).")
NO_TOTAL = "The answer tells no total, so its output may leave its reasoning out, and both are charged (reading 12)."
FREE_END = "A cut stream may be charged whole, by what was sent, by an estimate, or not at all (reading 19)."

CHARGES = {
    "bill.double_charge, variant double_price": SCALED_UP,
    "bill.double_charge, variant second_record": cell(PROVED, ONCE),
    "bill.duplicate_record": cell(PROVED, ONCE),
    "bill.retry_charge": PHANTOM,
    "bill.phantom_record": PHANTOM,
    "bill.request_id_reuse, the line of the earlier call": cell(PROVED, ONCE, more=kept(
        ["by=month", "request_id=errors_only"], "Two requests under one id are a reused id or a second charge.",
        "At most the second charge.", CHARGE)),
    "bill.request_id_reuse, the line of the call itself": cell(
        PROVED, ABSENT["because"], ("outcome", "completed", "settling", "id")),
    "bill.missing_record": ABSENT,
    "bill.wrong_key": ABSENT,
    "bill.late_record": cell(BOUNDED, "It was missing from a complete read after the declared time to settle.",
                             ("id", "outcome", "settling", "two_reads"), "Shown where a complete read lacks it."),
    "bill.charge_rejected": cell(PROVED, "Our own call was refused, and a refused call is not completed (interface 1.6).",
                                 ("outcome",)),
    "bill.charge_server_error, variant whole": cell(
        NO, "A 5xx does not prove that nothing was charged (interface 7)."),
    "bill.charge_server_error, variant above_possible": cell(
        BOUNDED, "No call comes to more than the longest output of its model.", ("outcome", "price", "longest"),
        "Certain is the part above the longest output.", LONGEST),
    **variants("bill.retry_double_charge", {
        one: cell(NO, "An attempt that failed may be charged, and so may the call sent again (interface 7).")
        for one in ("server_error", "timeout", "reset")}),
    "bill.charge_failed": cell(PROVED, FAILED, ("outcome", "settling", "count", "one_failed_record")),
    "bill.missing_refund, jobs and tasks": cell(PROVED, FAILED, ("failed_word", "settling", "count", "one_failed_record")),
    "bill.missing_refund, text": cell(NO, "A text call that failed may be charged (interface 7)."),
    "bill.late_refund": cell(NO, "No sentence tells when a credit comes."),
    "bill.double_refund": cell(PROVED, FAILED, ("cheap_failed_credit", "count"), more=[
        *gone(["settling=untold & values=never_settled"], "No word of the record says that the credit is final."),
        *FREE_WORD]),
    "bill.partial_refund": cell(PROVED, FAILED, ("failed_word", "settling", "count", "one_failed_record"), more=FREE_WORD),
    "bill.charge_prompt_only_on_abort": cell(NO, FREE_END),
    "bill.zero_on_abort": cell(NO, FREE_END),
    "bill.incomplete_as_completed": cell(NO, "The words of a result are the gateway's own (reading 4)."),
    "bill.charge_on_abort, variant above_possible": cell(
        BOUNDED, "No call comes to more than the longest output of its model.", ("id", "outcome", "price", "longest"),
        "Certain is the part above the longest output.", LONGEST),
    "bill.charge_on_abort, variant below_one_token": cell(NO, FREE_END),
    "bill.pending_forever": cell(
        BOUNDED, "It is still open after the declared time to settle.", ("settling", "open_word"),
        "At most the reserve is held.", RESERVE),
    "bill.reserve_leak": cell(NO, "No record tells of it, and account counters have no rate to USD (interface 2)."),
    **variants("bill.state_regression", {
        one: cell(BOUNDED, "Two reads of one final record differ.", ("two_reads",),
                  "Shown where the record was read before it changed; at most the charge.", CHARGE)
        for one in ("amount", "pending", "gone")}),
    "bill.wrong_version, variant old_version": cell(
        PROVED, "Another edition was seen in force before the call and after it.", ("price", "editions", "id")),
    "bill.wrong_version, variant old_prices": cell(
        PROVED, "The record names an edition that is served, and its prices tell another charge.", ("price",)),
    "bill.wrong_version, variant new_prices_old_id": cell(
        PROVED, "The record names an edition whose prices, as we saw them, tell another charge.",
        ("price", "editions", "id")),
    **variants("bill.wrong_rate", {
        "output_at_input": due(), "input_at_output": due(), "cache_read_at_input": due(), "cache_write_at_read": due(),
        "cache_counted_twice": due("cache_told"), "image_dearest": due("asked", "apart"),
        "image_cheapest": due("asked", "apart")}),
    **variants("bill.video_units", {one: due("asked", "apart") for one in ("longest", "dearest_resolution")}),
    "bill.wrong_model, variant price": due(),
    "bill.wrong_model, variant name": cell(
        PROVED, "Other calls of the asked model are recorded by another name; one name maps to one (reading 21).",
        ("id", "outcome", "same_name"),
        more=[{"when": ["scope=whole"], "to": NO, "because": "If each call is named so, the name is the model's own."}]),
    "bill.multiplier_hidden": SCALED_UP,
    **variants("bill.unit_error", {"cents_as_usd": SCALED_UP, "usd_as_cents": SCALED_DOWN,
                                   "per_thousand": SCALED_UP, "per_billion": SCALED_DOWN}),
    "bill.min_charge": cell(PROVED, DUE + " Other rows of the scope stand below the least charge.",
                            ("price", "alone_in_scope")),
    "bill.free_model_charged": SCALED_UP,
    "bill.uncharged_success": due("cheap_in_scope", "settled_word"),
    "bill.settle_above_reserve": due("alone_in_scope", "reserve"),
    **variants("bill.reasoning_double_count", {
        "counted_twice": told("reasoning_told", more=gone(["call=total_untold"], NO_TOTAL)),
        "charged_twice": due("reasoning", more=gone(
            ["book_declares=false & output_tokens=with_reasoning & call=total_untold"], NO_TOTAL)),
        "omitted": told("reasoning_told", more=kept(
            ["call=total_untold"], "The answer tells no total, so its output may hold its reasoning or not.",
            "The record lacks the reasoning either way: at most twice its price."))}),
    **variants("bill.tier_not_applied", {
        "base": due(), "other_edge, where the book says gt": due(), "other_edge, where the book says ge": due(),
        "without_cache": due("cache_told"), "graduated": due(), "output_at_base": due()}),
    **variants("bill.service_tier_price", {
        one: due("asked", "id") for one in ("as_default, of a more expensive tier", "as_default, of a cheaper tier",
                                            "as_priority", "as_flex")}),
    **variants("bill.tool_surcharge", {one: due("asked", "id") for one in ("one_more", "omitted")}),
    **variants("bill.token_mismatch", {
        "output": told(more=gone(
            ["missing=pricebook & call=reasoning_untold"],
            "No price list tells whether a count holds reasoning, and this answer does not tell how much there was.")),
        "input": told()}),
    "bill.swap_in_out": told(),
    "bill.cache_dropped": told(),
    "bill.estimated_high, variant completed": told(more=gone(
        ["missing=pricebook", BESIDE],
        "A count that is called an estimate may differ from the told one, and nothing tells whether it is charged.")),
    "bill.estimated_high, variant cut": cell(NO, FREE_END),
    "bill.estimated_unflagged": cell(NO, "The usage of a cut stream may be estimated without a flag (reading 19)."),
    **variants("bill.amount_rounding", {
        one: cell(PROVED, "The price list tells the rule of rounding, and the amount follows another.", ("rule",))
        for one in ("half_even", "truncate", "up", "six_places", "per_token")}),
}
