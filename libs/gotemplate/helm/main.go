// Command helm renders charts for a JavaScript host as helm template does: call(request JSON) returns the answer as JSON.
package main

import (
	"encoding/json"
	"errors"
	"io"
	"log"
	"log/slog"
	"runtime/debug"
	"strings"
	"syscall/js"
	"time"
	_ "time/tzdata" // The zones of zoneinfo.zip, which the helm program gets.

	"github.com/Masterminds/sprig/v3"
)

// memoryLimit is what the collector tries to stay below; the host replaces a program that has more at the end of a call.
const memoryLimit = 320 << 20

// request asks for one render.
type request struct {
	// Load are directories to keep, by their digests.
	Load []directory `json:"load"`
	// Chart is the digest of the chart's directory, Dependencies those of charts that are put into it.
	Chart        string   `json:"chart"`
	Dependencies []string `json:"dependencies"`
	// Values are the texts of values files; a later one overrides those before.
	Values     []string    `json:"values"`
	Parameters []parameter `json:"parameters"`
	// Texts are the files of --set-file by path.
	Texts                map[string]string `json:"texts"`
	Release              string            `json:"release"`
	Namespace            string            `json:"namespace"`
	KubeVersion          string            `json:"kubeVersion"`
	APIVersions          []string          `json:"apiVersions"`
	IncludeCRDs          bool              `json:"includeCrds"`
	SkipTests            bool              `json:"skipTests"`
	SkipSchemaValidation bool              `json:"skipSchemaValidation"`
}

type answer struct {
	// Output begins with a word on a line of its own: manifests, missing (then the digests of directories follow) or unsupported.
	Output string `json:"output"`
	Error  string `json:"error,omitempty"`
	// InvalidRequest is what the host did wrong.
	InvalidRequest string `json:"invalidRequest,omitempty"`
}

// unsupported is why only the helm program can render a chart; it completes "the fast way …".
type unsupported string

func (reason unsupported) Error() string { return string(reason) }

func main() {
	// Sandboxes of the helm program have this zone too.
	time.Local = time.UTC
	log.SetOutput(io.Discard)
	slog.SetDefault(slog.New(slog.DiscardHandler))
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
	var given request
	decoder := json.NewDecoder(strings.NewReader(encoded))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&given); err != nil {
		return answer{InvalidRequest: err.Error()}
	}
	output, err := render(given)
	var without sprig.LeftOut
	var reason unsupported
	switch {
	case errors.As(err, &without):
		return answer{Output: "unsupported\n" + without.Error()}
	case errors.As(err, &reason):
		return answer{Output: "unsupported\n" + reason.Error()}
	case err != nil:
		return answer{Error: err.Error()}
	}
	return answer{Output: output}
}

func render(given request) (string, error) {
	for _, each := range given.Load {
		if err := keep(each); err != nil {
			return "", err
		}
	}
	if absent := absentOf(given.Chart, given.Dependencies); len(absent) > 0 {
		return "missing\n" + strings.Join(absent, "\n"), nil
	}
	output, err := renderChart(assembled(given.Chart, given.Dependencies), given)
	return "manifests\n" + output, err
}
