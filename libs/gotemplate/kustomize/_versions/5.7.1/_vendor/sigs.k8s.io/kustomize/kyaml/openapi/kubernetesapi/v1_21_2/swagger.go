// Package v1_21_2 has the part of the schema of the Kubernetes API that the engine reads; `_schema` writes it.
package v1_21_2

import _ "embed"

//go:embed swagger.pb
var schema []byte

// MustAsset returns the schema, the only asset.
func MustAsset(string) []byte { return schema }
