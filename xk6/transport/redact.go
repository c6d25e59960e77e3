package transport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// hiddenHeaders carry credentials of whatever origin.
var hiddenHeaders = []string{
	"Authorization", "X-Api-Key", "Proxy-Authorization", "Cookie", "Set-Cookie", "New-Api-User", "Idempotency-Key",
}

// textFields hold what a person or a model wrote, or a file: prompts, answers, images. Their text is never shown.
var textFields = []string{
	"content", "text", "input", "prompt", "system", "instructions", "delta", "arguments", "reasoning",
	"reasoning_content", "refusal", "summary", "thinking", "partial_json", "b64_json", "data", "image", "image_url", "mask",
}

// linkFields hold links that may be signed: only what stands before the query is shown.
var linkFields = []string{"url", "href", "result_url", "video_url"}

func writeHeaders(out *strings.Builder, header http.Header, hidden []string) {
	names := make([]string, 0, len(header))
	for name := range header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range header[name] {
			switch {
			case slices.Contains(hiddenHeaders, http.CanonicalHeaderKey(name)), slices.Contains(hidden, name):
				value = "[hidden]"
			case name == "Location" || name == "Content-Location":
				value = withoutQuery(value)
			}
			fmt.Fprintf(out, "%s: %s\n", name, value)
		}
	}
}

func withoutQuery(link string) string {
	before, _, cut := strings.Cut(link, "?")
	if !cut {
		return link
	}
	return before + "?[hidden]"
}

// readable is a body for a log: JSON without its texts, of anything else only the size.
func readable(contentType string, body []byte, whole bool) string {
	media, _, _ := strings.Cut(contentType, ";")
	if media = strings.TrimSpace(media); media == "" {
		media = "unknown type"
	}
	if !whole {
		return fmt.Sprintf("[more than %d bytes of %s]", len(body), media)
	}
	if len(body) == 0 {
		return ""
	}
	shown, err := withoutTexts(body)
	if err != nil {
		return fmt.Sprintf("[%d bytes of %s]", len(body), media)
	}
	return shown
}

// withoutTexts writes JSON again with the order of its keys, and with sizes in place of texts.
func withoutTexts(body []byte) (string, error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var out strings.Builder
	if err := copyValue(decoder, &out, ""); err != nil {
		return "", err
	}
	if decoder.More() {
		return "", fmt.Errorf("more than one value")
	}
	return out.String(), nil
}

func copyValue(decoder *json.Decoder, out *strings.Builder, field string) error {
	token, err := decoder.Token()
	if err != nil {
		return err
	}
	switch value := token.(type) {
	case json.Delim:
		return copyNested(decoder, out, field, value)
	case string:
		switch {
		case slices.Contains(textFields, field):
			value = fmt.Sprintf("[%d characters]", utf8.RuneCountInString(value))
		case slices.Contains(linkFields, field):
			value = withoutQuery(value)
		}
		return writeJSON(out, value)
	default:
		return writeJSON(out, value)
	}
}

func copyNested(decoder *json.Decoder, out *strings.Builder, field string, open json.Delim) error {
	out.WriteString(open.String())
	for first := true; decoder.More(); first = false {
		if !first {
			out.WriteByte(',')
		}
		inner := field // the elements of a list are of its field
		if open == '{' {
			key, err := decoder.Token()
			if err != nil {
				return err
			}
			name, ok := key.(string)
			if !ok {
				return fmt.Errorf("a key that is no text")
			}
			if err := writeJSON(out, name); err != nil {
				return err
			}
			out.WriteByte(':')
			inner = name
		}
		if err := copyValue(decoder, out, inner); err != nil {
			return err
		}
	}
	end, err := decoder.Token()
	if err != nil {
		return err
	}
	fmt.Fprint(out, end)
	return nil
}

func writeJSON(out *strings.Builder, value any) error {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	out.Write(bytes.TrimSuffix(buffer.Bytes(), []byte("\n")))
	return nil
}
