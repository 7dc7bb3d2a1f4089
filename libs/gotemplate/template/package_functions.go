package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"strings"
	"text/template"

	"github.com/BurntSushi/toml"
	"github.com/Masterminds/sprig/v3"
	goccy "github.com/goccy/go-yaml"
	goyaml "go.yaml.in/yaml/v2"

	"wadi/gotemplate/value"
)

// packageFunctions are those of templates in Zarf packages: sprig's and some for YAML, TOML and JSON, which give the
// message of an error as their result unless their names begin with must.
var packageFunctions = allPackageFunctions()

// numberLike texts are numbers to a reader of YAML but not to the encoder, which leaves them without quotes.
var numberLike = regexp.MustCompile(`^[-+]?(?:\.?[0-9][0-9_]*|[0-9][0-9_]*\.[0-9_]*)(?:[eE][-+]?[0-9]+)?$`)

func allPackageFunctions() template.FuncMap {
	all := template.FuncMap(sprig.Functions())
	maps.Copy(all, template.FuncMap{
		"print": fmt.Sprint, "printf": format, "println": fmt.Sprintln,
		"html": template.HTMLEscaper, "js": template.JSEscaper, "urlquery": template.URLQueryEscaper,
		"toYaml": func(given any) string { return orNothing(packageYaml(given)) }, "mustToYaml": packageYaml,
		"toYamlPretty": func(given any) string { return orNothing(prettyYaml(given)) },
		"fromYaml":     fromPackageYaml, "fromYamlArray": fromPackageYamlArray,
		"toToml": toToml, "fromToml": fromToml,
		"toJson": func(given any) string { return orNothing(toJson(given)) }, "mustToJson": toJson,
		"fromJson": fromJson, "fromJsonArray": fromJsonArray,
	})
	for name, function := range all {
		all[name] = bounded(name, function)
	}
	return all
}

func orNothing(text string, err error) string {
	if err != nil {
		return ""
	}
	return text
}

func packageYaml(given any) (string, error) {
	encoded, err := goccy.Marshal(quoted(given))
	return strings.TrimSuffix(string(encoded), "\n"), err
}

func prettyYaml(given any) (string, error) {
	var output bytes.Buffer
	err := goccy.NewEncoder(&output, goccy.Indent(2)).Encode(quoted(given))
	return strings.TrimSuffix(output.String(), "\n"), err
}

// quotedText is written with quotes.
type quotedText string

func (text quotedText) MarshalYAML() ([]byte, error) { return json.Marshal(string(text)) }

// quoted returns the value with its number-like texts marked.
func quoted(given any) any {
	switch given := given.(type) {
	case string:
		if len(given) < maximumVersion && numberLike.MatchString(given) {
			return quotedText(given)
		}
	case value.Values:
		return quoted(map[string]any(given))
	case map[string]any:
		all := make(map[string]any, len(given))
		for key, member := range given {
			all[key] = quoted(member)
		}
		return all
	case []any:
		all := make([]any, len(given))
		for index, member := range given {
			all[index] = quoted(member)
		}
		return all
	}
	return given
}

func toJson(given any) (string, error) {
	encoded, err := json.Marshal(given)
	return string(encoded), err
}

func toToml(given any) string {
	var output bytes.Buffer
	if err := toml.NewEncoder(&output).Encode(given); err != nil {
		return err.Error()
	}
	return output.String()
}

func fromPackageYaml(text string) map[string]any {
	result := map[string]any{}
	if err := unmarshalShared(text, &result); err != nil {
		result["Error"] = err.Error()
	}
	return result
}

func fromPackageYamlArray(text string) []any {
	result := []any{}
	if err := unmarshalShared(text, &result); err != nil {
		return []any{err.Error()}
	}
	return result
}

// unmarshalShared weighs the document before its aliases are written out, as unmarshal does.
func unmarshalShared(text string, result any) error {
	if len(text) > maximumDocument {
		panic(errLargeDocument)
	}
	var shared any
	if err := goyaml.Unmarshal([]byte(text), &shared); err == nil {
		check(second(weigh(shared, 0, maximumValue)))
	}
	return goccy.Unmarshal([]byte(text), result)
}

func second(_ int, err error) error { return err }

func fromToml(text string) map[string]any {
	result := map[string]any{}
	if err := toml.Unmarshal([]byte(text), &result); err != nil {
		result["Error"] = err.Error()
	}
	return result
}

func fromJson(text string) map[string]any {
	result := map[string]any{}
	if err := json.Unmarshal([]byte(text), &result); err != nil {
		result["Error"] = err.Error()
	}
	return result
}

func fromJsonArray(text string) []any {
	result := []any{}
	if err := json.Unmarshal([]byte(text), &result); err != nil {
		return []any{err.Error()}
	}
	return result
}

// packageInteger has the kinds that Zarf's reader of values gives to integers.
func packageInteger(text string) (any, bool) {
	number, isInteger := new(big.Int).SetString(text, 10)
	switch {
	case !isInteger:
		return nil, false
	case number.IsUint64():
		return number.Uint64(), true
	case number.IsInt64():
		return number.Int64(), true
	}
	return json.Number(text), true
}
