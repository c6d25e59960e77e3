package wire

// UsageRecord is what a decision on a retry needs of a usage request record (interface §2).
type UsageRecord struct{ BillingStatus, Amount, RefundedAmount string }

// ReadUsagePage reads an answer of GET /v1/usage/requests; false when it is not one, or not the whole list: only a
// has_more of false says so.
func ReadUsagePage(body []byte) (records []UsageRecord, whole bool) {
	hasData, last := false, false
	s := scan{b: body}
	if !s.object() {
		return nil, false
	}
	for s.key() {
		switch string(s.name) {
		case "data":
			if s.peek() == '[' && s.array() {
				hasData, records = true, records[:0]
				for s.elem() {
					records = append(records, readUsageRecord(&s))
				}
			} else {
				s.skip()
			}
		case "has_more":
			last = string(s.raw()) == "false"
		default:
			s.skip()
		}
	}
	if !s.done() {
		return nil, false
	}
	return records, hasData && last
}

func readUsageRecord(s *scan) (r UsageRecord) {
	if !s.object() {
		return r
	}
	for s.key() {
		switch string(s.name) {
		case "billing_status":
			r.BillingStatus = s.str().String()
		case "amount":
			r.Amount = s.str().String()
		case "refunded_amount":
			r.RefundedAmount = s.str().String()
		default:
			s.skip()
		}
	}
	return r
}
