package main

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"
	"github.com/gosimple/slug"
	goyaml "go.yaml.in/yaml/v2"
	"sigs.k8s.io/yaml"
)

const (
	slugLength     = 50
	nameLength     = 253
	maximumVersion = 1 << 10
	// maximumDocument keeps the readers of YAML, which cannot be interrupted, to a few seconds.
	maximumDocument = 256 << 10
)

var functions = allFunctions()

var errLargeDocument = fmt.Errorf("a document is larger than %d bytes", maximumDocument)

var outsideName = regexp.MustCompile(`[^-a-z0-9.]`)

// allFunctions are sprig's, those that Argo CD adds to them in ApplicationSets, and Go's own that can make text.
func allFunctions() template.FuncMap {
	all := template.FuncMap(sprig.Functions())
	additions := template.FuncMap{
		"print": fmt.Sprint, "printf": format, "println": fmt.Sprintln,
		"html": template.HTMLEscaper, "js": template.JSEscaper, "urlquery": template.URLQueryEscaper,
		"normalize": normalize, "slugify": slugify,
		"toYaml": toYaml, "fromYaml": fromYaml, "fromYamlArray": fromYamlArray,
	}
	maps.Copy(all, additions)
	for name, function := range all {
		all[name] = bounded(name, function)
	}
	return all
}

// bounded returns the function with its arguments, its foreseeable cost and its result held to the limits. A breach
// is a panic, which text/template turns into the error of the call.
func bounded(name string, function any) any {
	called := reflect.ValueOf(function)
	foresee := costs[name]
	variadic := called.Type().IsVariadic()
	return reflect.MakeFunc(called.Type(), func(arguments []reflect.Value) []reflect.Value {
		weight := 0
		for _, argument := range arguments {
			weight += must(weigh(argument.Interface(), 0, maximumValue-weight))
		}
		if foresee != nil {
			switch cost := foresee(spread(arguments, variadic)); {
			case cost == unaffordable:
				panic(errTooMuchWork)
			case cost > maximumValue:
				panic(errTooLarge)
			}
		}
		check(current.spend(weight + 1))
		var results []reflect.Value
		if variadic {
			results = called.CallSlice(arguments)
		} else {
			results = called.Call(arguments)
		}
		if name != emitFunction && results[0].IsValid() {
			check(current.spend(must(weigh(results[0].Interface(), 0, maximumValue))))
		}
		return results
	}).Interface()
}

func spread(arguments []reflect.Value, variadic bool) []any {
	var all []any
	for index, argument := range arguments {
		if variadic && index == len(arguments)-1 {
			for member := range argument.Len() {
				all = append(all, argument.Index(member).Interface())
			}
		} else {
			all = append(all, argument.Interface())
		}
	}
	return all
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func must(weight int, err error) int {
	check(err)
	return weight
}

// normalize makes a DNS name of any text, as in Argo CD's ApplicationSets.
func normalize(text string) string {
	name := outsideName.ReplaceAllString(strings.ToLower(text), "-")
	if len(name) > nameLength {
		name = name[:nameLength]
	}
	return strings.Trim(name, "-.")
}

// slugify [maximum length, default 50] [cut at words, default true] text, as in Argo CD's ApplicationSets.
func slugify(arguments ...any) (string, error) {
	slug.MaxLength, slug.EnableSmartTruncate = slugLength, true
	if len(arguments) == 0 || len(arguments) > 3 {
		return "", fmt.Errorf("wrong number of args for slugify: want 1 to 3 got %d", len(arguments))
	}
	text, isText := arguments[len(arguments)-1].(string)
	if len(arguments) > 1 {
		length, isLength := arguments[0].(int)
		isText = isText && isLength
		slug.MaxLength = length
	}
	if len(arguments) > 2 {
		cut, isCut := arguments[1].(bool)
		isText = isText && isCut
		slug.EnableSmartTruncate = cut
	}
	if !isText {
		return "", fmt.Errorf("slugify wants an optional length, an optional true or false, and a text")
	}
	return slug.Make(normalize(text)), nil
}

func toYaml(value any) (string, error) {
	encoded, err := yaml.Marshal(value)
	return strings.TrimSuffix(string(encoded), "\n"), err
}

func fromYaml(text string) (map[string]any, error) {
	var value map[string]any
	return value, unmarshal(text, &value)
}

func fromYamlArray(text string) ([]any, error) {
	var value []any
	return value, unmarshal(text, &value)
}

// unmarshal weighs the document with its aliases shared before the conversion to JSON writes them out.
func unmarshal[T any](text string, value *T) error {
	if len(text) > maximumDocument {
		return errLargeDocument
	}
	var shared any
	if err := goyaml.Unmarshal([]byte(text), &shared); err != nil {
		return err
	}
	if _, err := weigh(shared, 0, maximumValue); err != nil {
		return err
	}
	return yaml.Unmarshal([]byte(text), value)
}
