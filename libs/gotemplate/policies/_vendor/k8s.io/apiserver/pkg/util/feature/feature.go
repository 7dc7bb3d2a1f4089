// Package feature takes the place of the API server's, whose gates are set by flags.
package feature

// Feature is the name of a feature.
type Feature string

type gate map[Feature]bool

// DefaultFeatureGate has the features that are on in an API server without flags, of those that policies and defaults of
// objects ask for.
var DefaultFeatureGate = gate{
	"AuthorizeWithSelectors":       true,
	"ImageVolume":                  true,
	"JobPodReplacementPolicy":      true,
	"PodLevelResources":            true,
	"SELinuxMountReadWriteOncePod": true,
}

// Enabled is true if the feature is on.
func (on gate) Enabled(feature Feature) bool { return on[feature] }
