// Command kustomize builds kustomizations for a JavaScript host: call(request JSON) returns the answer as JSON. Files come
// from the host's read(path), which returns base64.
package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"path"
	"runtime/debug"
	"strings"
	"syscall/js"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/openapi"
)

// memoryLimit is what the collector tries to stay below; the host replaces a program that has more at the end of a call.
const memoryLimit = 160 << 20

// repository is where the files are, as in a sandbox: a root that is a directory like every other.
const repository = "/repository"

// streams keeps those that the program starts with: without a reference Go would close them, which the host has no way for.
var streams []*os.File

type request struct {
	// Path is the directory to build, relative to the repository like every path here.
	Path string `json:"path"`
	// Files are all that the build may read.
	Files []string `json:"files"`
}

type answer struct {
	Output string `json:"output"`
	Error  string `json:"error,omitempty"`
	// InvalidRequest is what the host did wrong.
	InvalidRequest string `json:"invalidRequest,omitempty"`
}

func main() {
	debug.SetGCPercent(200)
	debug.SetMemoryLimit(memoryLimit)
	// Warnings have no reader: the host keeps what is written as the reason of the program's end.
	log.SetOutput(io.Discard)
	streams = []*os.File{os.Stdout, os.Stderr}
	os.Stdout, os.Stderr = nil, nil
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
	files, err := read(given.Files)
	if err != nil {
		return answer{Error: err.Error()}
	}
	output, err := build(files, given.Path)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Output: output}
}

func read(paths []string) (filesys.FileSystem, error) {
	files := filesys.MakeFsInMemory()
	for _, name := range paths {
		content, err := base64.StdEncoding.DecodeString(js.Global().Call("read", name).String())
		if err != nil {
			return nil, err
		}
		if err := files.WriteFile(path.Join(repository, name), content); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// build gives what a process of its own would. The engine keeps the schema of the API from build to build, since reading it
// takes longer than most builds; a build with another schema neither finds it nor leaves its own.
func build(files filesys.FileSystem, directory string) (string, error) {
	output, err := run(files, directory)
	if openapi.GetSchemaVersion() == builtInSchema {
		return output, err
	}
	openapi.ResetOpenAPI()
	defer openapi.ResetOpenAPI()
	return run(files, directory)
}

func run(files filesys.FileSystem, directory string) (output string, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("%v", reason)
		}
	}()
	options := krusty.MakeDefaultOptions()
	// What the command has without flags.
	options.Reorder = krusty.ReorderOptionUnspecified
	resources, err := krusty.MakeKustomizer(options).Run(files, path.Join(repository, directory))
	if err != nil {
		return "", err
	}
	content, err := resources.AsYaml()
	return string(content), err
}
