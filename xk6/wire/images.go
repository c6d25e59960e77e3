package wire

// Images is an image response (interface §2).
type Images struct {
	URLs    []string
	B64     []string
	Created *int64 // Unix seconds as served
	Usage   *Usage
}

// ReadImages reads an image response; false when it is not one: no data, or an item without url and b64_json.
func ReadImages(body []byte) (Images, bool) {
	var im Images
	items, filled := 0, 0
	s := scan{b: body}
	if !s.object() {
		return im, false
	}
	for s.key() {
		switch string(s.name) {
		case "created":
			im.Created = s.count()
		case "usage":
			if raw := s.raw(); raw != nil {
				var seen usageSeen
				seen.set(KindResponses, raw) // the same member names
				im.Usage = seen.usage(KindResponses)
			}
		case "data":
			if s.array() {
				for s.elem() {
					items++
					if im.readItem(&s) {
						filled++
					}
				}
			}
		default:
			s.skip()
		}
	}
	if !s.done() {
		return Images{}, false
	}
	return im, items > 0 && filled == items
}

func (im *Images) readItem(s *scan) (filled bool) {
	if !s.object() {
		return false
	}
	for s.key() {
		switch string(s.name) {
		case "url":
			if t := s.str(); t.nonEmpty() {
				im.URLs, filled = append(im.URLs, t.String()), true
			}
		case "b64_json":
			if t := s.str(); t.nonEmpty() {
				im.B64, filled = append(im.B64, t.String()), true
			}
		default:
			s.skip()
		}
	}
	return filled
}
