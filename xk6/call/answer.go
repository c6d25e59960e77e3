package call

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"

	"weighbridge.dev/xk6/outcome"
	"weighbridge.dev/xk6/wire"
)

// refused reads the answer of a call that was not accepted: a status outside 2xx.
func (x *exchange) refused(response *http.Response, w *watch, timeouts Timeouts, ctx context.Context) {
	_ = x.readBeginning(response, w, timeouts.Idle, ctx, maxErrorBody)
	apiError := wire.ReadError(x.body)
	x.code, x.apiType, x.errorRequestIDs = apiError.Code, apiError.Type, apiError.RequestIDs
	errorType := outcome.ErrorTypeOfAnswer(x.status, x.code)
	message := apiError.Message
	switch base := wire.FirstURL(message); {
	case x.status < 400: // its text may hold a signed link, which is a credential
		message = "a redirect was not followed"
	case apiError.HTML:
		message = "the answer is " + htmlPage(x.body)
	case errorType == outcome.ErrorKeySiteMismatch && base != "":
		message = "the key belongs to " + base + ": " + message // first, since texts are cut at their end
	}
	// The status line is the answer, whatever became of its body.
	x.outcome, x.message = "", ""
	x.finish(outcome.HttpError, errorType, message)
}

// readJSON reads a whole JSON answer and judges it by its kind.
func readJSON(req *Request, timeouts Timeouts, keepText bool) reader {
	kind, expect := req.Kind, req.Expect
	limit := maxBody
	if isImage(kind) || expect == ExpectImage {
		limit = maxImageBody
	}
	return func(x *exchange, response *http.Response, w *watch, ctx context.Context) {
		if !x.readAll(response, w, timeouts.Idle, ctx, limit) {
			return
		}
		switch {
		case wire.IsHTML(x.body):
			x.notExpected("the answer is " + htmlPage(x.body))
		case isText(kind):
			x.judgeText(kind, keepText)
		case isImage(kind) || expect == ExpectImage:
			x.judgeImages()
		case !json.Valid(x.body):
			x.notExpected("the answer is not JSON")
		default:
			x.finish(outcome.Ok, outcome.ErrorNone, "")
		}
	}
}

func (x *exchange) notExpected(message string) {
	x.finish(outcome.BadResponse, outcome.ErrorSchemaMismatch, message)
}

func (x *exchange) judgeText(kind string, keepText bool) {
	result := wire.ReadBody(kind, x.body, keepText)
	x.result, x.text = &result, result.Text
	x.code, x.apiType = result.ErrorCode, result.APIErrorType
	errorType := outcome.ErrorType(result.ErrorType)
	message := result.ErrorMessage
	switch {
	case result.Complete:
		x.finish(outcome.Ok, outcome.ErrorNone, "")
	case outcome.Allowed(outcome.StreamError, errorType): // failed or incomplete by the format's own word
		x.finish(outcome.StreamError, errorType, message)
	default:
		if message == "" {
			message = "the answer has not the shape of a " + kind + " answer"
		}
		x.notExpected(message)
	}
}

func (x *exchange) judgeImages() {
	images, ok := wire.ReadImages(x.body)
	if !ok {
		x.notExpected("the answer holds no image")
		return
	}
	x.images = &images
	if len(images.URLs) > 0 {
		if x.url = images.URLs[0]; len(x.url) > maxLink {
			x.url = ""
			x.notExpected(fmt.Sprintf("the link is longer than %d KiB", maxLink>>10))
			return
		}
	}
	for _, text := range images.B64 {
		bytes, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			x.notExpected("b64_json is not base64")
			return
		}
		if x.content = contentOf(bytes); !isPicture(x.content) {
			x.notExpected("b64_json is no PNG, JPEG or WebP by its first bytes")
			return
		}
	}
	x.finish(outcome.Ok, outcome.ErrorNone, "")
}

// readBytes counts and hashes a body, checks its first bytes and drops it.
func readBytes(expect Expect, timeouts Timeouts) reader {
	limit := int64(maxVideo)
	if expect == ExpectImage {
		limit = maxImageBody
	}
	return func(x *exchange, response *http.Response, w *watch, ctx context.Context) {
		hash := sha256.New()
		var head []byte
		if !x.readEach(response, w, timeouts.Idle, ctx, func(part []byte) bool {
			hash.Write(part)
			head = append(head, part[:min(len(part), headBytes-len(head))]...)
			return x.bytesIn <= limit
		}) {
			return
		}
		x.digest = hex.EncodeToString(hash.Sum(nil))
		x.content = contentOf(head)
		switch {
		case x.bytesIn == 0:
			x.notExpected("the answer is empty")
		case x.bytesIn > limit:
			x.notExpected(fmt.Sprintf("the answer is larger than %d MiB", limit>>20))
		case (expect == ExpectMP4 || expect == ExpectImage) && wire.IsHTML(head):
			x.notExpected("the answer is " + htmlPage(head))
		case expect == ExpectMP4 && x.content != "mp4":
			x.notExpected("the answer is no MP4 by its first bytes")
		case expect == ExpectImage && !isPicture(x.content):
			x.notExpected("the answer is no PNG, JPEG or WebP by its first bytes")
		default:
			x.finish(outcome.Ok, outcome.ErrorNone, "")
		}
	}
}
