package wire

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// APIError is the body of a refused call, in any of the shapes of interface §7 and of what stands in front of it.
type APIError struct {
	Message, Type, Code string
	// RequestIDs are those named in the message, last first, then one beside the error object. A gateway behind a
	// gateway appends its own id after the upstream's.
	RequestIDs []string
	HTML       bool // an error page of a proxy
}

// ReadError reads {error:{message,type,code}}, {type:"error",error:{…}}, {success:false,message}; of anything else the
// text itself is the message. Messages are cut, ids are sought before that.
func ReadError(body []byte) APIError {
	top := readTopLevel(body)
	var e apiError
	switch {
	case carriesError(top.err):
		e = readErrorObject(top.err)
	case top.valid && top.message.ok:
		e = readErrorObject(body)
	default:
		e = apiError{message: string(bytes.ToValidUTF8(bytes.TrimSpace(body), []byte("\uFFFD")))}
	}
	ids := requestIDs(e.message)
	if own := top.requestID.String(); own != "" && !slices.Contains(ids, own) {
		ids = append(ids, own)
	}
	return APIError{
		Message: cut(e.message), Type: e.typ, Code: e.code, RequestIDs: ids, HTML: !top.valid && IsHTML(body),
	}
}

// requestIDs finds every `(request id: X)`, last first, each once.
func requestIDs(message string) []string {
	const mark = "(request id:"
	var ids []string
	lower := strings.Map(asciiLower, message)
	for {
		at := strings.LastIndex(lower, mark)
		if at < 0 {
			return ids
		}
		tail := message[at+len(mark):]
		if end := strings.IndexByte(tail, ')'); end >= 0 {
			id := strings.TrimSpace(tail[:end])
			if id != "" && strings.IndexFunc(id, unicode.IsSpace) < 0 && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		message, lower = message[:at], lower[:at]
	}
}

// asciiLower keeps byte positions, which strings.ToLower need not.
func asciiLower(r rune) rune {
	if r >= 'A' && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}

// IsHTML tells a page, which no endpoint answers with, by its beginning.
func IsHTML(body []byte) bool {
	head := bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\uFEFF")))
	if len(head) == 0 || head[0] != '<' {
		return false
	}
	head = bytes.ToLower(head[:min(len(head), 64)])
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html"))
}

// Beginning is how a foreign text starts, as one line of valid UTF-8.
func Beginning(body []byte) string {
	const most = 120 // code points
	text := strings.Join(strings.Fields(string(bytes.ToValidUTF8(body[:min(len(body), 16*most)], []byte("\uFFFD")))), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// address takes printable ASCII up to a blank, a quote or a bracket; src/app/target/named-base.ts has the same.
var address = regexp.MustCompile(`(?i)https?://[\x21\x23-\x27\x2a-\x3b\x3d\x3f-\x5a\x5e-\x7a\x7e]+`)

// FirstURL is the first http or https address in a message, without the punctuation behind it; "" where there is none.
func FirstURL(message string) string {
	return strings.TrimRight(address.FindString(message), ".,;:!?'*")
}
