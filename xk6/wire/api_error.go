package wire

import "bytes"

// apiError is an error object as the target words it.
type apiError struct{ message, typ, code string }

// readErrorObject reads {message, type, code}; a bare string is the message.
func readErrorObject(raw []byte) apiError {
	s := scan{b: raw}
	if s.peek() == '"' {
		return apiError{message: s.str().String()}
	}
	var e apiError
	if !s.object() {
		return e
	}
	for s.key() {
		e.readMember(&s)
	}
	return e
}

func (e *apiError) readMember(s *scan) {
	switch string(s.name) {
	case "message":
		e.message = s.str().String()
	case "type":
		e.typ = s.str().String()
	case "code":
		e.code = s.scalar()
	default:
		s.skip()
	}
}

// scalar reads a string or a whole number as text: some upstreams send the HTTP status as code.
func (s *scan) scalar() string {
	if s.peek() == '"' {
		return s.str().String()
	}
	raw := s.raw()
	if len(raw) == 0 || (raw[0] != '-' && (raw[0] < '0' || raw[0] > '9')) {
		return ""
	}
	return string(raw)
}

// carriesError: null, "" and false say that there is no error.
func carriesError(raw []byte) bool {
	return len(raw) > 0 && (raw[0] == '{' || (raw[0] == '"' && !bytes.Equal(raw, []byte(`""`))))
}
