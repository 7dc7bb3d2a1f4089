package main

import (
	"encoding/json"
	"strings"
	"syscall/js"
	"text/template"

	"wadi/gotemplate/v1alpha1"
	"wadi/gotemplate/value"
)

// packageObjects is what a template in a Zarf package is rendered with; what is missing is not there for the template.
type packageObjects struct {
	Values    json.RawMessage
	Variables map[string]string
	Constants map[string]string
	State     json.RawMessage
	Pkg       json.RawMessage
}

// objects is a type of its own because Go's messages distinguish such maps from plain ones.
type objects map[string]any

func decodeObjects(text string) (objects, error) {
	var given packageObjects
	if err := decodeKnown(text, &given); err != nil {
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
		var definition v1alpha1.ZarfPackage
		if err := json.Unmarshal(given.Pkg, &definition); err != nil {
			return nil, err
		}
		all["Pkg"] = definition
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

// dataChangers alter what they are given: dictionaries, and sortAlpha lists of texts.
var dataChangers = append([]string{"sortAlpha"}, changers...)

// latest is what the last template saw, since all templates of a package see much the same.
var latest struct {
	text string
	data objects
}

// objectsFor returns what a template sees; one that alters it gets its own.
func objectsFor(parsed *template.Template, text string) (objects, error) {
	if namesAny(parsed, dataChangers) {
		return decodeObjects(text)
	}
	if latest.data == nil || latest.text != text {
		latest.data = nil
		data, err := decodeObjects(text)
		if err != nil {
			return nil, err
		}
		latest.text, latest.data = text, data
	}
	return latest.data, nil
}

func renderPackageTemplate(given request) answer {
	parsed, err := parseTemplate(given.Name, given.Text, packageFunctions)
	if err != nil {
		return answer{Error: err.Error()}
	}
	data, err := objectsFor(parsed, js.Global().Call("read", "objects").String())
	if err != nil {
		return answer{Error: given.Name + ": data: " + err.Error()}
	}
	output, err := execute(parsed.Option("missingkey=error"), data, *given.MaxBytes)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Output: output}
}
