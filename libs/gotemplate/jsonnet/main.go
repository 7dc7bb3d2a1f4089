// Command jsonnet evaluates Jsonnet for a JavaScript host: call(request JSON) returns the answer as JSON. Files come
// from the host's read(path), which returns base64, or null where there is no file.
package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"strings"
	"syscall/js"

	"github.com/google/go-jsonnet"
)

const maximumStack = 500

type variable struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Code  bool   `json:"code"`
}

type request struct {
	File              string     `json:"file"`
	Libraries         []string   `json:"libraries"`
	ExternalVariables []variable `json:"externalVariables"`
	TopLevelArguments []variable `json:"topLevelArguments"`
}

type answer struct {
	Output string `json:"output"`
	Error  string `json:"error,omitempty"`
	// InvalidRequest is what the host did wrong.
	InvalidRequest string `json:"invalidRequest,omitempty"`
}

func main() {
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
	var given request
	decoder := json.NewDecoder(strings.NewReader(encoded))
	// A field that the host calls by another name must not be left out silently.
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&given); err != nil {
		return answer{InvalidRequest: err.Error()}
	}
	file, err := inside(given.File, given.File)
	if err != nil {
		return answer{Error: err.Error()}
	}
	importer := &hostImporter{libraries: given.Libraries, read: map[string]*jsonnet.Contents{}}
	if importer.open(file) == nil {
		return answer{Error: fmt.Sprintf("%s: there is no such file", file)}
	}
	output, err := newMachine(given, importer).EvaluateFile(file)
	if err != nil {
		return answer{Error: strings.TrimSpace(err.Error())}
	}
	return answer{Output: output}
}

func newMachine(given request, importer jsonnet.Importer) *jsonnet.VM {
	machine := jsonnet.MakeVM()
	machine.MaxStack = maximumStack
	machine.SetTraceOut(io.Discard)
	machine.Importer(importer)
	for _, each := range given.ExternalVariables {
		if each.Code {
			machine.ExtCode(each.Name, each.Value)
		} else {
			machine.ExtVar(each.Name, each.Value)
		}
	}
	for _, each := range given.TopLevelArguments {
		if each.Code {
			machine.TLACode(each.Name, each.Value)
		} else {
			machine.TLAVar(each.Name, each.Value)
		}
	}
	return machine
}

// hostImporter looks beside the importing file, then in the libraries from the last to the first.
type hostImporter struct {
	libraries []string
	// read holds what was found, and nil for what was not: a path must give the same contents each time.
	read map[string]*jsonnet.Contents
}

func (importer *hostImporter) Import(importedFrom, importedPath string) (jsonnet.Contents, string, error) {
	if path.IsAbs(importedPath) {
		return jsonnet.Contents{}, "", leaves(importedPath)
	}
	directories := append([]string{}, importer.libraries...)
	directories = append(directories, path.Dir(importedFrom))
	for index := len(directories) - 1; index >= 0; index-- {
		candidate, err := inside(directories[index]+"/"+importedPath, importedPath)
		if directories[index] == "" {
			candidate, err = inside(importedPath, importedPath)
		}
		if err != nil {
			return jsonnet.Contents{}, "", err
		}
		if contents := importer.open(candidate); contents != nil {
			return *contents, candidate, nil
		}
	}
	return jsonnet.Contents{}, "", fmt.Errorf("couldn't open import %q: no such file beside %q or in the libraries", importedPath, importedFrom)
}

func (importer *hostImporter) open(candidate string) *jsonnet.Contents {
	if found, known := importer.read[candidate]; known {
		return found
	}
	importer.read[candidate] = nil
	if encoded := js.Global().Call("read", candidate); encoded.Type() == js.TypeString {
		if data, err := base64.StdEncoding.DecodeString(encoded.String()); err == nil {
			contents := jsonnet.MakeContentsRaw(data)
			importer.read[candidate] = &contents
		}
	}
	return importer.read[candidate]
}

// inside cleans a path relative to the repository's root.
func inside(candidate, named string) (string, error) {
	cleaned := path.Clean(candidate)
	if path.IsAbs(cleaned) || cleaned == ".." || strings.HasPrefix(cleaned, "../") {
		return "", leaves(named)
	}
	return cleaned, nil
}

func leaves(named string) error {
	return fmt.Errorf("%q leaves the repository: use a path inside it", named)
}
