// Package scheme takes the place of client-go's, whose types are most of Helm's size: it holds what Helm takes from
// them, the names of their API versions.
package scheme

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// versions are .Capabilities.APIVersions of helm template, in its order.
const versions = `
v1 admissionregistration.k8s.io/v1 admissionregistration.k8s.io/v1alpha1 admissionregistration.k8s.io/v1beta1
internal.apiserver.k8s.io/v1alpha1 apps/v1 apps/v1beta1 apps/v1beta2 authentication.k8s.io/v1
authentication.k8s.io/v1alpha1 authentication.k8s.io/v1beta1 authorization.k8s.io/v1
authorization.k8s.io/v1beta1 autoscaling/v1 autoscaling/v2 autoscaling/v2beta1 autoscaling/v2beta2 batch/v1
batch/v1beta1 certificates.k8s.io/v1 certificates.k8s.io/v1beta1 certificates.k8s.io/v1alpha1
coordination.k8s.io/v1alpha2 coordination.k8s.io/v1beta1 coordination.k8s.io/v1 discovery.k8s.io/v1
discovery.k8s.io/v1beta1 events.k8s.io/v1 events.k8s.io/v1beta1 extensions/v1beta1
flowcontrol.apiserver.k8s.io/v1 flowcontrol.apiserver.k8s.io/v1beta1 flowcontrol.apiserver.k8s.io/v1beta2
flowcontrol.apiserver.k8s.io/v1beta3 networking.k8s.io/v1 networking.k8s.io/v1beta1 node.k8s.io/v1
node.k8s.io/v1alpha1 node.k8s.io/v1beta1 policy/v1 policy/v1beta1 rbac.authorization.k8s.io/v1
rbac.authorization.k8s.io/v1beta1 rbac.authorization.k8s.io/v1alpha1 resource.k8s.io/v1
resource.k8s.io/v1beta2 resource.k8s.io/v1beta1 resource.k8s.io/v1alpha3 scheduling.k8s.io/v1alpha1
scheduling.k8s.io/v1beta1 scheduling.k8s.io/v1 storage.k8s.io/v1beta1 storage.k8s.io/v1
storage.k8s.io/v1alpha1 storagemigration.k8s.io/v1beta1 apiextensions.k8s.io/v1beta1 apiextensions.k8s.io/v1
`

type versionScheme struct{}

// Scheme knows the API versions of this version of client-go.
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
