package wire

// UsageRecord is what a decision on a retry needs of a usage request record (interface §2). The ids are empty where
// they were not served, the others where they were not or where a member stands twice.
type UsageRecord struct{ ID, RequestID, BillingStatus, Amount, RefundedAmount string }

// ReadUsagePage reads an answer of GET /v1/usage/requests; false when it is not one, or not the whole list: only a
// has_more of false says so. Of two lists in one answer nobody knows which holds.
func ReadUsagePage(body []byte) (records []UsageRecord, whole bool) {
	lists, ends, hasData, last := 0, 0, false, false
	s := scan{b: body}
	if !s.object() {
		return nil, false
	}
	for s.key() {
		switch string(s.name) {
		case "data":
			lists++
			if s.peek() == '[' && s.array() {
				hasData = true
				for s.elem() {
					records = append(records, readUsageRecord(&s))
				}
			} else {
				s.skip()
			}
		case "has_more":
			ends++
			last = string(s.raw()) == "false"
		default:
			s.skip()
		}
	}
	if !s.done() {
		return nil, false
	}
	return records, hasData && last && lists == 1 && ends == 1
}

func readUsageRecord(s *scan) (r UsageRecord) {
	if !s.object() {
		return r
	}
	twice := false
	read := func(field *string) {
		twice = twice || *field != ""
		*field = s.str().String()
	}
	for s.key() {
		switch string(s.name) {
		case "id":
			read(&r.ID)
		case "request_id":
			read(&r.RequestID)
		case "billing_status":
			read(&r.BillingStatus)
		case "amount":
			read(&r.Amount)
		case "refunded_amount":
			read(&r.RefundedAmount)
		default:
			s.skip()
		}
	}
	if twice {
		return UsageRecord{}
	}
	return r
}
