package module

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"mime/multipart"
	"net/textproto"
	"strings"

	"weighbridge.dev/xk6/call"
	"weighbridge.dev/xk6/traffic"
)

type multipartField struct {
	Name  string         `js:"name"`
	Value *string        `js:"value"`
	File  *multipartFile `js:"file"`
}

type multipartFile struct {
	Filename    string `js:"filename"`
	ContentType string `js:"content_type"`
	Base64      string `js:"base64"`
}

func (r *request) fillBody(out *call.Request) error {
	switch {
	case r.body != nil && r.multipart != nil:
		return errors.New("expected body or multipart, found both")
	case r.body != nil:
		out.Body, out.ContentType = r.body, "application/json"
		if members := r.members(); members != nil {
			out.Body = members.AppendTo(bytes.TrimSpace(out.Body))
		}
	case r.multipart != nil:
		r.members().Each(func(name, value string) {
			r.multipart = append(r.multipart, multipartField{Name: name, Value: &value})
		})
		body, contentType, err := encodeMultipart(r.multipart)
		if err != nil {
			return err
		}
		out.Body, out.ContentType = body, contentType
		out.Header.Del("Content-Type") // the boundary is ours
	}
	return nil
}

// members are what the plan adds to a body that a script makes of a planned call of an image or a video; a text call has
// them already.
func (r *request) members() *traffic.Members {
	if r.planned == nil || r.planned.call.Image == nil && r.planned.call.Video == nil {
		return nil
	}
	return r.planned.call.Members
}

var quoteEscaper = strings.NewReplacer("\\", "\\\\", `"`, "\\\"", "\r", "%0D", "\n", "%0A")

func encodeMultipart(fields []multipartField) ([]byte, string, error) {
	var body bytes.Buffer
	writer := multipart.NewWriter(&body)
	for _, field := range fields {
		switch {
		case field.File != nil:
			content, err := base64.StdEncoding.DecodeString(field.File.Base64)
			if err != nil {
				return nil, "", fmt.Errorf("multipart field %s: file.base64: %w", field.Name, err)
			}
			header := textproto.MIMEHeader{}
			header.Set("Content-Disposition", fmt.Sprintf(`form-data; name="%s"; filename="%s"`,
				quoteEscaper.Replace(field.Name), quoteEscaper.Replace(field.File.Filename)))
			header.Set("Content-Type", field.File.ContentType)
			part, err := writer.CreatePart(header)
			if err != nil {
				return nil, "", err
			}
			if _, err := part.Write(content); err != nil {
				return nil, "", err
			}
		case field.Value != nil:
			if err := writer.WriteField(field.Name, *field.Value); err != nil {
				return nil, "", err
			}
		default:
			return nil, "", fmt.Errorf("multipart field %s: expected value or file", field.Name)
		}
	}
	if err := writer.Close(); err != nil {
		return nil, "", err
	}
	return body.Bytes(), writer.FormDataContentType(), nil
}
