// Package v1 takes the place of client-go's, which has caches of a cluster's objects.
package v1

import corev1 "k8s.io/api/core/v1"

// NamespaceLister finds a namespace by its name.
type NamespaceLister interface {
	Get(name string) (*corev1.Namespace, error)
}
