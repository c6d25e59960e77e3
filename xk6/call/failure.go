package call

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"

	"weighbridge.dev/xk6/outcome"
)

// cut gives the outcome of a request that was cancelled: by us with a cause, or because the run ended.
func cut(ctx context.Context) (outcome.Outcome, bool) {
	if ctx.Err() == nil {
		return "", false
	}
	var ours cutError
	if errors.As(context.Cause(ctx), &ours) {
		return ours.outcome, true
	}
	return outcome.Interrupted, true
}

// failed is the outcome of a request that got no answer.
func (x *exchange) failed(ctx context.Context, err error) {
	if o, is := cut(ctx); is {
		x.finish(o, outcome.Default(o), messageOf(o))
		return
	}
	x.finish(outcome.NetError, networkErrorType(err), err.Error())
}

// broken is the outcome of an answer whose body ended in an error.
func (x *exchange) broken(ctx context.Context, err error) {
	x.fault = err
	if o, is := cut(ctx); is {
		x.finish(o, outcome.Default(o), messageOf(o))
		return
	}
	x.finish(outcome.Truncated, outcome.ErrorStreamTruncated, err.Error())
}

func messageOf(o outcome.Outcome) string {
	switch o {
	case outcome.Interrupted:
		return "the run ended"
	case outcome.Aborted:
		return "we cut the call on purpose"
	}
	return strings.ReplaceAll(string(o), "_", " ")
}

func networkErrorType(err error) outcome.ErrorType {
	var dns *net.DNSError
	var record tls.RecordHeaderError
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var alert tls.AlertError
	text := err.Error()
	switch {
	case errors.As(err, &dns), strings.Contains(text, "no such host"):
		return outcome.ErrorDns
	case errors.Is(err, syscall.ECONNREFUSED):
		return outcome.ErrorConnectRefused
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return outcome.ErrorConnectReset
	case errors.As(err, &record), errors.As(err, &certificate), errors.As(err, &authority), errors.As(err, &host),
		errors.As(err, &alert), strings.Contains(text, "tls: "):
		return outcome.ErrorTls
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), strings.Contains(text, "server closed idle connection"),
		strings.Contains(text, "EOF"):
		return outcome.ErrorSocketClosed
	default:
		return outcome.ErrorOther
	}
}
