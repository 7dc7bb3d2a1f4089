// Package metrics takes the place of the API server's: nobody reads metrics of this program.
package metrics

import (
	"context"
	"time"
)

type none struct{}

// Metrics keeps nothing.
var Metrics none

// ObserveMatchConditionEvaluationTime does nothing.
func (none) ObserveMatchConditionEvaluationTime(context.Context, time.Duration, string, string, string, string) {
}

// ObserveMatchConditionEvalError does nothing.
func (none) ObserveMatchConditionEvalError(context.Context, string, string, string, string) {}
