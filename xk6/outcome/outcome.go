package outcome

// ErrorTypeOfAnswer is the error type of an answer with this status and error code; none for a 2xx
// (interface §7: match on the code first, then on the status).
func ErrorTypeOfAnswer(status int, code string) ErrorType {
	if status >= 200 && status < 300 {
		return ErrorNone
	}
	if named, ok := errorTypeOfCode[code]; ok {
		return named
	}
	if named, ok := errorTypeOfStatus[status]; ok {
		return named
	}
	if status >= 500 {
		return ErrorHttp5xx
	}
	if status >= 400 {
		return ErrorHttp4xx
	}
	return ErrorOther
}

// Billed is the outcome that a call is charged by: what could not be downloaded was made all the same (billedOutcome in
// src/contracts/outcome.ts).
func Billed(o Outcome, e ErrorType) Outcome {
	if e == ErrorDownloadFailed {
		return Ok
	}
	return o
}

// Default is the error type written for an outcome when nothing more precise is known.
func Default(o Outcome) ErrorType {
	return ErrorTypesOf[o][0]
}

// Allowed reports whether the table lets an outcome carry an error type.
func Allowed(o Outcome, e ErrorType) bool {
	for _, allowed := range ErrorTypesOf[o] {
		if allowed == e {
			return true
		}
	}
	return false
}
