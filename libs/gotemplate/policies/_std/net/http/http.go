// Package http takes the place of Go's own: the engine has no network, and without the real one it is a tenth smaller.
package http

import "errors"

const (
	MethodPost = "POST"

	StatusOK                    = 200
	StatusBadRequest            = 400
	StatusUnauthorized          = 401
	StatusForbidden             = 403
	StatusNotFound              = 404
	StatusMethodNotAllowed      = 405
	StatusNotAcceptable         = 406
	StatusConflict              = 409
	StatusGone                  = 410
	StatusRequestEntityTooLarge = 413
	StatusUnsupportedMediaType  = 415
	StatusUnprocessableEntity   = 422
	StatusTooManyRequests       = 429
	StatusInternalServerError   = 500
	StatusServiceUnavailable    = 503
	StatusGatewayTimeout        = 504
)

// ErrAbortHandler ends a handler; there is none.
var ErrAbortHandler = errors.New("net/http: abort Handler")

type Request struct{}
