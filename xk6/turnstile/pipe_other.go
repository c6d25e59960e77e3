//go:build !unix

package turnstile

func newPoller() poller { return yielder{} }
