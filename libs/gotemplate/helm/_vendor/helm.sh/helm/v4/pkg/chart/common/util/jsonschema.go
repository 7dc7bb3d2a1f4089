package util

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"helm.sh/helm/v4/pkg/chart"
)

// SchemaOf compiles a schema, or finds it compiled. It takes the place of Helm's loaders, which read files and ask the
// network.
var SchemaOf = CompileSchema

const schemaPlace = "file:///values.schema.json"

// CompileSchema compiles a schema that refers to nothing outside of it.
func CompileSchema(text []byte) (*jsonschema.Schema, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(noDocuments{})
	if err := compiler.AddResource(schemaPlace, document); err != nil {
		return nil, err
	}
	return compiler.Compile(schemaPlace)
}

// ValidateAgainstSchema checks the values of a chart and those of the charts in it, each by its own schema.
func ValidateAgainstSchema(given chart.Charter, values map[string]any) error {
	checked, err := chart.NewAccessor(given)
	if err != nil {
		return err
	}
	if text := checked.Schema(); text != nil {
		schema, err := SchemaOf(text)
		if err != nil {
			return err
		}
		if err := schema.Validate(values); err != nil {
			return err
		}
	}
	for _, dependency := range checked.Dependencies() {
		below, err := chart.NewAccessor(dependency)
		if err != nil {
			return err
		}
		part := values[below.Name()]
		if part == nil {
			continue
		}
		table, isTable := part.(map[string]any)
		if !isTable {
			return fmt.Errorf("values of %s are not an object", below.Name())
		}
		if err := ValidateAgainstSchema(dependency, table); err != nil {
			return err
		}
	}
	return nil
}

// noDocuments finds nothing: what a URN names accepts everything, as it does in Helm.
type noDocuments struct{}

func (noDocuments) Load(url string) (any, error) {
	if strings.HasPrefix(url, "urn:") {
		return true, nil
	}
	return nil, fmt.Errorf("the schema refers to %s", url)
}
