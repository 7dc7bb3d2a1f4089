package main

import (
	"encoding/json"
	"strings"

	"wadi/gotemplate/v1alpha1"
	"wadi/gotemplate/value"
)

// packageObjects is what a template in a Zarf package is rendered with; what is missing is not there for the template.
type packageObjects struct {
	Values    json.RawMessage
	Variables map[string]string
	Constants map[string]string
	State     json.RawMessage
	Pkg       *v1alpha1.ZarfPackage
}

// objects is a type of its own since Go's messages tell such maps from plain ones.
type objects map[string]any

func decodeObjects(text string) (objects, error) {
	var given packageObjects
	if err := json.Unmarshal([]byte(text), &given); err != nil {
		return nil, err
	}
	all := objects{}
	if given.Values != nil {
		decoded, err := decodeWith(given.Values, packageNumber)
		if err != nil {
			return nil, err
		}
		tree, _ := decoded.(map[string]any)
		all["Values"] = value.Values(tree)
	}
	if given.State != nil {
		decoded, err := decode(given.State)
		if err != nil {
			return nil, err
		}
		all["State"] = decoded
	}
	if given.Variables != nil {
		all["Variables"] = given.Variables
	}
	if given.Constants != nil {
		all["Constants"] = given.Constants
	}
	if given.Pkg != nil {
		all["Pkg"] = *given.Pkg
	}
	return all, nil
}

// packageNumber keeps a number with a point or an exponent a float, however integral it is; one beyond all floats
// stands for infinity.
func packageNumber(text string) (any, error) {
	if !strings.ContainsAny(text, ".eE") {
		if number, isInteger := packageInteger(text); isInteger {
			return number, nil
		}
	}
	number, err := json.Number(text).Float64()
	if number > 1 || number < -1 {
		return number, nil
	}
	return number, err
}

func renderPackageTemplate(given request) answer {
	parsed, err := parseTemplate(given.Name, given.Text, packageFunctions)
	if err != nil {
		return answer{Error: err.Error()}
	}
	data, err := decodeObjects(given.Objects)
	if err != nil {
		return answer{Error: given.Name + ": data: " + err.Error()}
	}
	output, err := execute(parsed.Option("missingkey=error"), data, given.MaximumBytes)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Output: output}
}
