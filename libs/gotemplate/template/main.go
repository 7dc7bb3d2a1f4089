// Command template renders Go templates for a JavaScript host: call(request JSON) returns the answer as JSON.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall/js"
	"time"
)

// memoryLimit is what the collector tries to stay below; the host replaces a program that has more at the end of a call.
const memoryLimit = 160 << 20

type request struct {
	Name       string `json:"name"`
	Text       string `json:"text"`
	MissingKey string `json:"missingKey"`
	// Data is missing when the template is only to be checked.
	Data json.RawMessage `json:"data"`
	// TextMaps are the paths of those maps in Data that hold texts alone.
	TextMaps [][]string `json:"textMaps"`
	// MaxBytes bounds the output of what is rendered.
	MaxBytes *int `json:"maxBytes"`
	// Objects is whether the template is one of a Zarf package, which has other functions. The host's read gives the JSON of what it is
	// rendered with: a text in a text would take longer to take apart than most templates to render.
	Objects bool `json:"objects"`
	// Inspect asks for what a template in a Zarf package names, and renders nothing.
	Inspect bool `json:"inspect"`
}

type answer struct {
	Output string `json:"output"`
	Error  string `json:"error,omitempty"`
	// InvalidRequest is what the host did wrong.
	InvalidRequest string `json:"invalidRequest,omitempty"`
}

func main() {
	// toDate and its kind read times without a zone; the zone of the machine must not decide the output.
	time.Local = time.UTC
	// Small templates leave little behind, so that it pays to collect seldom, until memory becomes short.
	debug.SetGCPercent(200)
	debug.SetMemoryLimit(memoryLimit)
	js.Global().Set("call", js.FuncOf(func(_ js.Value, arguments []js.Value) any {
		encoded, err := json.Marshal(serve(arguments[0].String()))
		if err != nil {
			panic(err)
		}
		return string(encoded)
	}))
	select {}
}

func serve(encoded string) answer {
	given, err := decodeRequest(encoded)
	if err != nil {
		return answer{InvalidRequest: err.Error()}
	}
	if given.Inspect {
		output, err := inspect(given.Name, given.Text)
		if err != nil {
			return answer{Error: err.Error()}
		}
		return answer{Output: output}
	}
	if given.Objects {
		return renderPackageTemplate(given)
	}
	parsed, err := parseTemplate(given.Name, given.Text, functions)
	if err != nil {
		return answer{Error: err.Error()}
	}
	if len(given.Data) == 0 {
		return answer{}
	}
	data, err := decode(given.Data)
	if err != nil {
		return answer{Error: given.Name + ": data: " + err.Error()}
	}
	for _, path := range given.TextMaps {
		data = withTextMap(data, path)
	}
	output, err := execute(parsed.Option("missingkey="+given.MissingKey), data, *given.MaxBytes)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Output: output}
}

// decodeRequest fails on a field or a bound that the host calls by another name, so that none is silently left out.
func decodeRequest(encoded string) (request, error) {
	var given request
	if err := decodeKnown(encoded, &given); err != nil {
		return given, err
	}
	if given.MaxBytes == nil && (given.Objects || len(given.Data) > 0) {
		return given, errors.New("maxBytes is missing")
	}
	return given, nil
}

// decodeKnown reads JSON that has no fields but those of the target.
func decodeKnown(encoded string, target any) error {
	decoder := json.NewDecoder(strings.NewReader(encoded))
	decoder.DisallowUnknownFields()
	return decoder.Decode(target)
}

// decode reads JSON with integral numbers as int64, so that they print as integers.
func decode(text []byte) (any, error) {
	return decodeWith(text, plainNumber)
}

func decodeWith(text []byte, number func(string) (any, error)) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	return withNumbers(value, number)
}

func plainNumber(text string) (any, error) {
	if number, err := strconv.ParseInt(text, 10, 64); err == nil {
		return number, nil
	}
	return json.Number(text).Float64()
}

func withNumbers(value any, number func(string) (any, error)) (any, error) {
	var err error
	switch given := value.(type) {
	case map[string]any:
		for key, member := range given {
			if given[key], err = withNumbers(member, number); err != nil {
				return nil, err
			}
		}
	case []any:
		for index, member := range given {
			if given[index], err = withNumbers(member, number); err != nil {
				return nil, err
			}
		}
	case json.Number:
		return number(given.String())
	}
	return value, nil
}

// withTextMap makes a map of texts of the map at the path: unlike a map of anything, it has an empty text for a key
// that is not there, where the zero value counts.
func withTextMap(value any, path []string) any {
	switch given := value.(type) {
	case map[string]any:
		if len(path) == 0 {
			return textMap(given)
		}
		if member, ok := given[path[0]]; ok {
			given[path[0]] = withTextMap(member, path[1:])
		}
	case []any:
		if len(path) == 0 {
			return given
		}
		if index, err := strconv.Atoi(path[0]); err == nil && index >= 0 && index < len(given) {
			given[index] = withTextMap(given[index], path[1:])
		}
	}
	return value
}

// textMap returns the map itself when it holds anything but texts.
func textMap(given map[string]any) any {
	texts := make(map[string]string, len(given))
	for key, member := range given {
		text, isText := member.(string)
		if !isText {
			return given
		}
		texts[key] = text
	}
	return texts
}
