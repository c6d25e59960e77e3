"""Refutes verdicts: a bill that an honest gateway may show proves nothing.

Models one call in pico-USD: what each reading that the price list does not tell makes of it. Shares nothing with the
auditor. A gateway that follows some reading and shows the faulty bill turns `proved` into an error.
"""

DUE = 6_300_000_000
RESERVE = 10_000_000_000
LONGEST = 12_000_000_000


def failed_bills():
    """Lists how a failed task may stand: records (amount, reserved, refunded) of reading 2."""
    return [((0, RESERVE, RESERVE),), ((RESERVE, RESERVE, RESERVE),), ((0, RESERVE, 0),),
            ((RESERVE, RESERVE, 0), (-RESERVE, 0, 0)), ((RESERVE, RESERVE, 0), (0, 0, RESERVE)), ()]


def done_bills():
    """Lists how a completed call may stand: one record, or a reserve and a settlement; readings 1, 3 and 5."""
    one = [(DUE, RESERVE, RESERVE - DUE), (DUE, RESERVE, 0), (DUE, DUE, 0), (DUE, 0, 0), (RESERVE, RESERVE, RESERVE - DUE)]
    two = [((0, RESERVE, 0), (DUE, 0, 0)), ((RESERVE, RESERVE, 0), (DUE - RESERVE, 0, 0))]
    return [(record,) for record in one] + two + [((0, RESERVE, 0), record) for record in one]


def unknown_bills():
    """Lists how a call that failed or was cut may stand: any part of the longest output, in readings 19 and 20."""
    return [((amount, RESERVE, max(RESERVE - amount, 0)),) for amount in (0, 3_000, DUE // 2, DUE, RESERVE)]


def times(by, over):
    amount = DUE * by // over
    return [((amount, RESERVE, max(RESERVE - amount, 0)),)]


DONE = ((DUE, RESERVE, RESERVE - DUE),)

# Fault -> what the same call may show in an honest gateway, and the records that the fault leaves.
SHOWN = {
    "bill.double_charge, variant double_price": (done_bills, times(2, 1)),
    "bill.double_charge, variant second_record": (done_bills, [DONE + DONE]),
    "bill.duplicate_record": (done_bills, [DONE + DONE]),
    "bill.charge_rejected": (lambda: [(), ((0, RESERVE, RESERVE),), ((0, 0, 0),)], [DONE]),
    "bill.charge_failed": (failed_bills, [DONE, ((RESERVE, RESERVE, 0),)]),
    "bill.missing_refund, jobs and tasks": (failed_bills, [((RESERVE, RESERVE, 0),)]),
    "bill.double_refund": (failed_bills, [((-RESERVE, RESERVE, 2 * RESERVE),)]),
    "bill.partial_refund": (failed_bills, [((RESERVE // 2, RESERVE, RESERVE // 2),)]),
    "bill.multiplier_hidden": (done_bills, times(11, 10)),
    "bill.unit_error, variant usd_as_cents": (done_bills, times(1, 100)),
    "bill.uncharged_success": (done_bills, times(0, 1)),
    "bill.settle_above_reserve": (done_bills, times(RESERVE * 5, DUE * 4)),
    "bill.missing_record": (done_bills, [()]),
    "bill.charge_server_error, variant whole": (unknown_bills, [((DUE, RESERVE, RESERVE - DUE),)]),
    "bill.charge_on_abort, variant below_one_token": (unknown_bills, [((3_000, RESERVE, RESERVE - 3_000),)]),
    "bill.charge_on_abort, variant above_possible": (unknown_bills, [((LONGEST * 3 // 2, RESERVE, 0),)]),
    "bill.zero_on_abort": (unknown_bills, [((0, RESERVE, RESERVE),)]),
}


def refute(fault, verdict):
    """Stops where an honest gateway shows what the table condemns, or none shows what it calls undecidable."""
    if fault not in SHOWN:
        return
    honest, faulty = SHOWN[fault]
    lawful = any(bill in honest() for bill in faulty)
    if lawful and verdict != "no":
        raise SystemExit(f"{fault}: an honest gateway shows the same")
    if not lawful and verdict == "no":
        raise SystemExit(f"{fault}: no honest gateway shows it")
