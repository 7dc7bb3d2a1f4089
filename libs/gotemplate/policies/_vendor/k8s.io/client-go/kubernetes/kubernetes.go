// Package kubernetes takes the place of client-go's: the matcher of namespaces asks a client for one that its lister does
// not have.
package kubernetes

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Interface is the part of a client that is used.
type Interface interface {
	CoreV1() Core
}

// Core has the namespaces.
type Core interface {
	Namespaces() Namespaces
}

// Namespaces finds one by its name.
type Namespaces interface {
	Get(ctx context.Context, name string, options metav1.GetOptions) (*corev1.Namespace, error)
}
