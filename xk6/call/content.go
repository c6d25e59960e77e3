package call

import "bytes"

// headBytes are enough to tell the formats below apart, and to show how a page begins.
const headBytes = 256

// contentOf names a format by its first bytes: png, jpeg, webp, mp4 or unknown.
func contentOf(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n")):
		return "png"
	case bytes.HasPrefix(head, []byte("\xff\xd8\xff")):
		return "jpeg"
	case len(head) >= 12 && bytes.HasPrefix(head, []byte("RIFF")) && string(head[8:12]) == "WEBP":
		return "webp"
	case len(head) >= 8 && string(head[4:8]) == "ftyp":
		return "mp4"
	default:
		return "unknown"
	}
}

func isPicture(content string) bool {
	return content == "png" || content == "jpeg" || content == "webp"
}
