package outcome

import "testing"

func TestTheTableIsTotal(t *testing.T) {
	used := map[ErrorType]bool{}
	for o, allowed := range ErrorTypesOf {
		if len(allowed) == 0 {
			t.Errorf("%s has no error type", o)
		}
		for _, e := range allowed {
			used[e] = true
			if _, known := BlameOf[e]; !known {
				t.Errorf("%s of %s has no blame", e, o)
			}
		}
		if !Allowed(o, Default(o)) {
			t.Errorf("the default of %s is not allowed", o)
		}
	}
	for _, o := range []Outcome{Ok, Aborted, Interrupted, NotSent} {
		if Default(o) != ErrorNone || BlameOf[Default(o)] != BlameNone {
			t.Errorf("%s blames somebody", o)
		}
	}
}

func TestErrorTypeOfAnswer(t *testing.T) {
	cases := []struct {
		status int
		code   string
		want   ErrorType
	}{
		{200, "upstream_error", ErrorNone}, {401, "", ErrorUnauthorized}, {403, "insufficient_user_quota", ErrorInsufficientUserQuota},
		{402, "", ErrorInsufficientUserQuota}, {403, "", ErrorAccessDenied}, {429, "upstream_crowded", ErrorUpstreamCrowded},
		{429, "", ErrorRateLimited}, {418, "x", ErrorHttp4xx}, {524, "", ErrorHttp5xx}, {302, "", ErrorOther},
	}
	for _, c := range cases {
		if found := ErrorTypeOfAnswer(c.status, c.code); found != c.want {
			t.Errorf("%d %q: want %s, found %s", c.status, c.code, c.want, found)
		}
		if c.status >= 300 && !Allowed(HttpError, c.want) {
			t.Errorf("http_error may not carry %s", c.want)
		}
	}
}
