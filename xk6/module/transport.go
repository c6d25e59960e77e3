package module

import (
	"context"
	"net"
	"net/http"

	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/netext"

	"weighbridge.dev/xk6/secret"
	"weighbridge.dev/xk6/stamp"
	"weighbridge.dev/xk6/transport"
)

// transport is k6's transport of the virtual user: its dialer, hosts, blacklist, DNS, TLS options and proxies act on
// our calls as on those of k6/http. Before its first use here it learns our roots and to keep every connection that
// becomes idle: k6 would keep 6 to a host, and a virtual user may hold hundreds of streams. Only on the event loop.
func (c *client) transport(state *lib.State) http.RoundTripper {
	if c.prepared != nil {
		return c.prepared
	}
	c.prepared = state.Transport
	if own, is := state.Transport.(*http.Transport); is && own.MaxIdleConnsPerHost != maxIdle {
		own.MaxIdleConns, own.MaxIdleConnsPerHost = 0, maxIdle
		own.DialContext = stamping(own.DialContext)
		if own.TLSClientConfig != nil && own.TLSClientConfig.RootCAs == nil {
			own.TLSClientConfig.RootCAs = c.instance.run.Roots
		}
	}
	planned, hidden := "", []string(nil)
	if plan := c.instance.run.Plan; plan != nil {
		planned, hidden = plan.Workload.HTTP.Debug, secret.HiddenHeaders(plan.Headers)
	}
	if level := transport.LevelOf(planned, state.Options.HTTPDebug.String); level != transport.Off {
		logger := state.Logger.WithField("source", "http-debug")
		c.prepared = &transport.Debug{
			Next: c.prepared, Level: level, Hidden: hidden,
			Scrub: c.instance.run.Key.Name,
			Log:   func(exchange int64, text string) { logger.WithField("exchange", exchange).Info(text) },
		}
	}
	return c.prepared
}

type dialContext = func(ctx context.Context, network, address string) (net.Conn, error)

// stamping dials as k6 does, with its count of bytes, and has the connection stamp what it reads.
func stamping(dial dialContext) dialContext {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		if counted, is := conn.(*netext.Conn); is {
			return stamp.Wrap(counted.Conn, stamp.Counts{Read: counted.BytesRead, Written: counted.BytesWritten}), nil
		}
		return stamp.Wrap(conn, stamp.Counts{}), nil
	}
}

// maxIdle is more idle connections to one host than a virtual user can have.
const maxIdle = 1 << 20
