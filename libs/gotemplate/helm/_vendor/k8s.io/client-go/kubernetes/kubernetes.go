// Package kubernetes takes the place of client-go's: Helm imports it for its version alone, which go.mod names.
package kubernetes
