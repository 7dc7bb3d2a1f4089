// Command policies judges objects by ValidatingAdmissionPolicies for a JavaScript host, with the code of Kubernetes' API
// server: call(request JSON) returns the answer as JSON.
package main

import (
	"encoding/json"
	"io"
	"runtime/debug"
	"strings"
	"syscall/js"

	"k8s.io/klog/v2"
)

// memoryLimit is what the collector tries to stay below; the host replaces a program that has more at the end of a call.
const memoryLimit = 160 << 20

// request asks for a judgement of objects.
type request struct {
	// Policies is a list of given objects as JSON: policies, bindings, and the objects that they take as parameters.
	Policies string        `json:"policies"`
	Objects  []givenObject `json:"objects"`
	// Namespaces are those that are known; another has only the label with its name.
	Namespaces []string `json:"namespaces"`
}

// givenObject is an object as JSON, with what discovery says of its kind.
type givenObject struct {
	Object string `json:"object"`
	// Former is the object that this one replaces; empty for none.
	Former string `json:"former"`
	// Resource is the plural of the kind.
	Resource string `json:"resource"`
	// Namespace is empty for kinds without namespaces.
	Namespace string `json:"namespace"`
	// ParamsScope is, of a policy, that of the kind of its parameters: Namespaced or Cluster; empty if nobody knows the kind.
	ParamsScope string `json:"paramsScope"`
}

type answer struct {
	Output string `json:"output"`
	Error  string `json:"error,omitempty"`
	// InvalidRequest is what the host did wrong.
	InvalidRequest string `json:"invalidRequest,omitempty"`
}

// judgement is the output.
type judgement struct {
	Invalid  []invalid `json:"invalid"`
	Verdicts []verdict `json:"verdicts"`
}

func main() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
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
	// A field that the host calls by another name must not be left out silently.
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&given); err != nil {
		return answer{InvalidRequest: err.Error()}
	}
	judged, err := judge(given)
	if err != nil {
		return answer{Error: err.Error()}
	}
	output, err := json.Marshal(judged)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Output: string(output)}
}

func judge(given request) (judgement, error) {
	policies, err := policiesOf(given.Policies)
	if err != nil {
		return judgement{}, err
	}
	namespaces, err := namespacesOf(given.Namespaces)
	if err != nil {
		return judgement{}, err
	}
	judged := judgement{Invalid: policies.invalid, Verdicts: []verdict{}}
	for index, each := range given.Objects {
		verdicts, err := policies.judge(each, namespaces)
		if err != nil {
			return judgement{}, err
		}
		for _, verdict := range verdicts {
			verdict.Object = index
			judged.Verdicts = append(judged.Verdicts, verdict)
		}
	}
	return judged, nil
}
