// Package rest takes the place of client-go's: the engine names the configuration of a cluster, and here there is none.
package rest

// Config is what leads to a cluster.
type Config struct{}
