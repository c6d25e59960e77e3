"""What the gateway asks before it bills: honest answers, but for one planted fault. It keeps the truth file too."""
import json
import os
import secrets
from decimal import Decimal

ORDER = ["ghost", "no_record", "half_back", "full_price_cache", "too_much_refunded", "short_model", "dearer_image",
         "double_video", "dear_model", "twice"]


class Hooks:
    def __init__(self, number, gate, path):
        self.gate, self.file, self.seen, self.hit, self.model = gate, open(path, "a") if path else None, 0, {}, None
        self.fault, self.sentence = None, None
        if number:
            self.fault = ORDER[int(number) - 1]
            sealed = __file__.rsplit("/", 1)[0] + "/SEALED.json" if "/" in __file__ else "SEALED.json"
            self.sentence = json.load(open(sealed))[str(number)]

    def write(self, **line):
        if self.file:
            text = json.dumps({k: self.gate.usd(v) if k.endswith("_usd") else v for k, v in line.items()})
            self.file.write(text + "\n")
            self.file.flush()

    def truth(self, rid, model, kind, charged, due):
        """A call is settled for good. If the fault hit it, a second line says so."""
        with self.gate.books.lock:
            self.write(request_id=rid, model=model, kind=kind, charged_usd=charged, due_usd=due)
            if self.fault and (rid in self.hit or charged != due):
                charged, due = self.hit.get(rid, (charged, due))
                self.write(fault=self.sentence, request_id=rid, charged_usd=charged, due_usd=due)

    def finish(self):
        """At the end: tasks still running stand as they were charged so far."""
        for t in list(self.gate.books.tasks.values()):
            if not t["over"]:
                self.truth(t["rid"], t["model"], t["kind"], t["amount"], t["due"])
        os._exit(0)

    def turn(self, fault, applies=True):
        """Is this one to hit: of the paid calls that the fault can apply to, the 6th and then every 4th?"""
        with self.gate.books.lock:
            if self.fault != fault or not applies:
                return False
            self.seen += 1
            return self.seen >= 6 and (self.seen - 6) % 4 == 0

    def text_prices(self, model):
        prices = self.gate.PRICES[model]
        if self.fault == "full_price_cache" and "cache_read_tokens" in prices:
            return {**prices, "cache_read_tokens": prices["input_tokens"]}
        if self.fault == "dear_model" and model == "mondego-mini":
            return {item: price * Decimal("1.25") for item, price in prices.items()}
        return prices

    def text_entries(self, e):
        """The documents of a text call that is over: honestly, its one invoice."""
        entries = self.altered(e) if e["result"] == "completed" else [e]
        charged = sum(x["amount"] for x in entries if x["rid"] == e["rid"])
        due = self.gate.text_price(self.gate.PRICES[e["model"]], e["usage"])
        self.truth(e["rid"], e["model"], "text", charged, due)
        return entries

    def altered(self, e):
        if self.turn("no_record"):
            return []
        if self.turn("twice"):
            return [e, dict(e)]
        if self.turn("too_much_refunded"):
            self.hit[e["rid"]] = (e["amount"], e["amount"])
            return [{**e, "refunded": max(e["reserved"], e["amount"]) * 3 // 2 + 1}]
        if self.turn("ghost"):
            usage = {item: n + 7 if n else 0 for item, n in e["usage"].items()}
            cost = self.gate.text_price(self.gate.PRICES[e["model"]], usage)
            rid = e["rid"][:10] + secrets.token_hex(10)
            self.write(fault=self.sentence, request_id=rid, charged_usd=cost, due_usd=0)
            return [e, {**e, "rid": rid, "usage": usage, "amount": cost, "reserved": max(cost, e["reserved"])}]
        return [e]

    def flat(self, rid, model, what, due):
        """The price of an image or a video."""
        is_image = self.gate.SERVICE[model] == "image"
        dearer = [n for n in (self.gate.micros(1, 1, p) for p in self.gate.PRICES[model].values()) if n > due]
        if self.turn("dearer_image", is_image and dearer):
            self.hit[rid] = (min(dearer), due)
        elif self.turn("double_video", not is_image):
            self.hit[rid] = (2 * due, due)
        return self.hit.get(rid, (due, due))[0]

    def credit(self, task):
        """What the credit note of a failed task gives back."""
        return task["amount"] // (2 if self.turn("half_back", task["kind"] == "video") else 1)

    def by_model(self, groups):
        money = {m: g["settled_amount"] for m, g in groups.items() if g["settled_amount"] > 2}
        if self.fault != "short_model" or not money:
            return
        first, self.model = self.model is None, self.model or max(money, key=money.get)
        if self.model in money:
            groups[self.model]["settled_amount"] -= money[self.model] // 3
            if first:
                self.write(fault=f"{self.sentence} ({self.model})", request_id=None, due_usd=money[self.model],
                           charged_usd=groups[self.model]["settled_amount"])
