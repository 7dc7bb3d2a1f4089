// Command yaml-decoders reads texts as the Go programs do in whose place Wadi reads YAML, for tests. It takes texts from standard input, each
// behind its length (4 bytes, big-endian), and answers each with JSON in the same form. It ends when its standard input does.
package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"

	decoder "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

type answer struct {
	// The first document, as Helm reads values, Argo CD its own files and Kustomize a kustomization.
	Document      string `json:"document,omitempty"`
	DocumentError string `json:"documentError,omitempty"`
	// All documents, as Argo CD and kubectl read files of manifests.
	Stream      []string `json:"stream"`
	StreamError string   `json:"streamError,omitempty"`
}

func main() {
	input, output := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	for {
		text, err := readText(input)
		if err == io.EOF {
			return
		}
		if err == nil {
			err = writeAnswer(output, read(text))
		}
		if err == nil && input.Buffered() == 0 {
			err = output.Flush()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func readText(input io.Reader) ([]byte, error) {
	var length uint32
	if err := binary.Read(input, binary.BigEndian, &length); err != nil {
		return nil, err
	}
	text := make([]byte, length)
	_, err := io.ReadFull(input, text)
	return text, err
}

func writeAnswer(output io.Writer, content answer) error {
	text, err := json.Marshal(content)
	if err != nil {
		return err
	}
	if err := binary.Write(output, binary.BigEndian, uint32(len(text))); err != nil {
		return err
	}
	_, err = output.Write(text)
	return err
}

func read(text []byte) answer {
	content := answer{Stream: []string{}}
	content.DocumentError = guarded(func() error {
		document, err := yaml.YAMLToJSON(text)
		content.Document = string(document)
		return err
	})
	content.StreamError = guarded(func() error {
		documents := decoder.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
		for {
			var document json.RawMessage
			if err := documents.Decode(&document); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			if len(document) > 0 && string(document) != "null" {
				content.Stream = append(content.Stream, string(document))
			}
		}
	})
	return content
}

// guarded returns the text of what went wrong, a panic included.
func guarded(work func() error) (problem string) {
	defer func() {
		if cause := recover(); cause != nil {
			problem = fmt.Sprint("panic: ", cause)
		}
	}()
	if err := work(); err != nil {
		return "error: " + err.Error()
	}
	return ""
}
