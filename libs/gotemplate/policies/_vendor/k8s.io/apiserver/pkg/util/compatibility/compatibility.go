// Package compatibility takes the place of the API server's.
package compatibility

import "k8s.io/component-base/compatibility"

type registry struct{}

// DefaultComponentGlobalsRegistry has no components.
var DefaultComponentGlobalsRegistry registry

// EffectiveVersionFor returns none.
func (registry) EffectiveVersionFor(string) *compatibility.EffectiveVersion { return nil }

// DefaultBuildEffectiveVersion returns the version of this program.
func DefaultBuildEffectiveVersion() *compatibility.EffectiveVersion {
	return &compatibility.EffectiveVersion{}
}
