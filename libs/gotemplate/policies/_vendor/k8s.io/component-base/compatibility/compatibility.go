// Package compatibility takes the place of component-base's, whose versions are set by flags.
package compatibility

import "k8s.io/apimachinery/pkg/util/version"

// DefaultKubeComponent names the API server.
const DefaultKubeComponent = "kube"

// EffectiveVersion is the version of a component.
type EffectiveVersion struct{}

// MinCompatibilityVersion is not asked for: expressions may use all that this version knows.
func (*EffectiveVersion) MinCompatibilityVersion() *version.Version { return version.MajorMinor(1, 0) }
