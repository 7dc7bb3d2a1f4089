// Package scheme takes the place of client-go's, whose types are most of Helm's size: it holds what Helm takes from
// them, the names of their API versions.
package scheme

import (
	_ "embed"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// versions are .Capabilities.APIVersions of helm template, in its order; each version of Helm has its own.
//
//go:embed versions.txt
var versions string

type versionScheme struct{}

// Scheme knows the API versions of a version of client-go.
var Scheme versionScheme

// PrioritizedVersionsAllGroups returns all of them.
func (versionScheme) PrioritizedVersionsAllGroups() []schema.GroupVersion {
	var all []schema.GroupVersion
	for name := range strings.FieldsSeq(versions) {
		group, version, isNamed := strings.Cut(name, "/")
		if !isNamed {
			group, version = "", name
		}
		all = append(all, schema.GroupVersion{Group: group, Version: version})
	}
	return all
}
