"""Lists the faults of what is served: texts of amounts, totals, windows, filters, pages, account and price list."""

from charges import PROVED, cell, variants
from evidence import BOUNDED, NO, gone

SKIPPED = cell(PROVED, "In a quiet window the id of our own record finds it, and the pages of the window do not.",
               ("own_rows", "quiet"))
LAWFUL_TEXT = "Digits of a double, an exponent and a JSON number are permitted forms of an amount (reading 15)."
FILTER = "The answer holds records that the filter excludes by a sentence of interface 4."

READS = {
    "bill.pending_to_unknown": cell(NO, "Unknown records are a documented figure (reading 13)."),
    "bill.amount_rounding, variant float": cell(NO, LAWFUL_TEXT),
    "bill.sci_notation": cell(NO, LAWFUL_TEXT),
    "bill.number_not_string": cell(NO, LAWFUL_TEXT),
    "bill.comma": cell(PROVED, "No reading makes a number of a text with a decimal comma."),
    "bill.negative, variant amount": cell(
        PROVED, "Our own call was completed, and its records sum to less than zero.", ("id", "outcome")),
    "bill.negative, variant input_tokens": cell(PROVED, "No count is less than zero."),
    **variants("bill.totals_drift", {
        "settled": cell(PROVED, "In a quiet window no joint reading of the records gives the sum (reading 13).",
                        ("quiet",)),
        "records": cell(PROVED, "In a quiet window no joint reading of the records gives the count (reading 13).",
                        ("quiet",)),
        "by_model": cell(PROVED, "The parts of one answer do not add up to its whole."),
        "daily": cell(PROVED, "The parts of one answer do not add up to its whole."),
        "local_day": cell(BOUNDED, "Days are UTC days (interface 2), by creation or by settlement (reading 13).",
                          ("settling",), "Only rows that cannot have settled on the day they stand under."),
        "unknown_records": cell(NO, "Unknown records are a documented figure (reading 13)."),
    }),
    "bill.window_edge, variant end_inclusive": cell(
        BOUNDED, "The end of a window is exclusive (interface 4), and a record's own date is that end.", (),
        "Shown where a record stands in the second at the end."),
    "bill.window_edge, variant start_exclusive": cell(
        BOUNDED, "The start of a window is inclusive (interface 4); another walk shows the record.", ("quiet",),
        "Shown where a record stands in the second at the start."),
    "bill.filter_mismatch, variant model_prefix": cell(PROVED, FILTER, ("same_name",)),
    "bill.filter_mismatch, variant request_id_ignored": cell(PROVED, FILTER),
    "bill.cursor_filter_lost": cell(PROVED, FILTER, ("same_name",)),
    "bill.cursor_skip": SKIPPED,
    "bill.cursor_repeat": cell(NO, "The same id is one record, on one page or on two (reading 14)."),
    "bill.cursor_loop": cell(PROVED, "A cursor names the page after, and this walk never ends (interface 4)."),
    "bill.cursor_unstable": SKIPPED,
    "bill.cursor_has_more_lie, variant ends_early": SKIPPED,
    "bill.cursor_has_more_lie, variant promises_more": cell(NO, "An empty last page is permitted (reading 14)."),
    "bill.quota_drift": cell(NO, "A counter may move at reserve or at settlement, in any unit (reading 23)."),
    "bill.book_incoherent, variant unpriced": cell(NO, "A price list may leave hidden models out (reading 16)."),
    "bill.book_incoherent, variant silent_change": cell(
        BOUNDED, "Two sightings of one version tell two prices, though no sentence says that a version names one.",
        ("editions",), "Shown where the list was seen before and after.",
        more=gone(["missing=pricebook"], "No price list is served.")),
}
