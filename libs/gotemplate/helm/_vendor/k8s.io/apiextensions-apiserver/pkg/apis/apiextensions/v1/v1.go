// Package v1 takes the place of apiextensions': the list of API versions holds them already.
package v1

// AddToScheme adds nothing.
func AddToScheme(any) {}
