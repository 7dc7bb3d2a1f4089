// Command schema writes the schema of the Kubernetes API that Kustomize has to a file, without what its engine never reads:
// descriptions, and of the paths all but the kinds of objects that they answer. Go keeps all memory that it ever needed, and
// reading the whole schema takes several times the memory of a build.
package main

import (
	"os"

	openapi "github.com/google/gnostic-models/openapiv2"
	"google.golang.org/protobuf/proto"
	"sigs.k8s.io/kustomize/kyaml/openapi/kubernetesapi"
)

// described stands for every description: the engine treats a schema without anything as none.
const described = "-"

func main() {
	content := kubernetesapi.OpenAPIMustAsset[kubernetesapi.DefaultOpenAPI]("kubernetesapi/v1_21_2/swagger.pb")
	whole := &openapi.Document{}
	if err := proto.Unmarshal(content, whole); err != nil {
		panic(err)
	}
	for _, definition := range whole.Definitions.AdditionalProperties {
		shorten(definition.Value)
	}
	encoded, err := proto.MarshalOptions{Deterministic: true}.Marshal(&openapi.Document{
		Swagger:     whole.Swagger,
		Info:        whole.Info,
		Paths:       &openapi.Paths{Path: kindsOf(whole.Paths.Path)},
		Definitions: whole.Definitions,
	})
	if err != nil {
		panic(err)
	}
	if err := os.WriteFile(os.Args[1], encoded, 0o644); err != nil {
		panic(err)
	}
}

// kindsOf leaves of each path the kind that a GET answers; the engine finds out from the path whether the kind is namespaced.
func kindsOf(paths []*openapi.NamedPathItem) []*openapi.NamedPathItem {
	var kinds []*openapi.NamedPathItem
	for _, path := range paths {
		get := path.Value.Get
		if get == nil || len(get.VendorExtension) == 0 {
			continue
		}
		answered := &openapi.Operation{Responses: &openapi.Responses{}, VendorExtension: get.VendorExtension}
		kinds = append(kinds, &openapi.NamedPathItem{Name: path.Name, Value: &openapi.PathItem{Get: answered}})
	}
	return kinds
}

func shorten(schema *openapi.Schema) {
	if schema == nil {
		return
	}
	if schema.Description != "" {
		schema.Description = described
	}
	for _, property := range schema.GetProperties().GetAdditionalProperties() {
		shorten(property.Value)
	}
	for _, item := range schema.GetItems().GetSchema() {
		shorten(item)
	}
	for _, part := range schema.AllOf {
		shorten(part)
	}
	shorten(schema.GetAdditionalProperties().GetSchema())
}
