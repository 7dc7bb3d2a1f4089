// Package value names the type of a package's values, because Go's messages show the name.
package value

// Values is the tree of values of a Zarf package.
type Values map[string]any
