package main

import (
	"slices"

	chart "helm.sh/helm/v4/pkg/chart/v2"
)

const (
	// maximumKept bounds the files of all charts that are kept, maximumTexts the texts of all parsed templates, in bytes.
	maximumKept  = 24 << 20
	maximumTexts = 8 << 20
)

var charts = newCache[*chart.Chart](maximumKept)

// directory is a directory with a chart that the host has read.
type directory struct {
	Digest string `json:"digest"`
	Files  []file `json:"files"`
}

// keep loads a chart, unless it is kept already.
func keep(given directory) error {
	size := 1024
	for _, each := range given.Files {
		size += len(each.Data) + len(each.Name)
	}
	_, err := charts.made(given.Digest, size, func() (*chart.Chart, error) { return loadDirectory(given.Files) })
	return err
}

// absentOf returns the digests of charts that are not kept.
func absentOf(digest string, dependencies []string) []string {
	var absent []string
	for _, each := range append([]string{digest}, dependencies...) {
		if _, isKept := charts.get(each); !isKept {
			absent = append(absent, each)
		}
	}
	return absent
}

// assembled returns a chart of its own for one render, with what a build of its dependencies would put into it. All are kept.
func assembled(digest string, dependencies []string) *chart.Chart {
	kept, _ := charts.get(digest)
	whole := copyOf(kept)
	for _, each := range dependencies {
		dependency, _ := charts.get(each)
		whole.AddDependency(copyOf(dependency))
	}
	return whole
}

// copyOf copies all that rendering changes: dependencies are removed and renamed, and values are coalesced in place.
func copyOf(kept *chart.Chart) *chart.Chart {
	metadata := *kept.Metadata
	metadata.Dependencies = slices.Clone(metadata.Dependencies)
	for index, each := range metadata.Dependencies {
		if each != nil {
			dependency := *each
			metadata.Dependencies[index] = &dependency
		}
	}
	copied := &chart.Chart{
		Metadata:  &metadata,
		Lock:      kept.Lock,
		Templates: kept.Templates,
		Values:    copyTable(kept.Values),
		Schema:    kept.Schema,
		Files:     kept.Files,
	}
	for _, below := range kept.Dependencies() {
		copied.AddDependency(copyOf(below))
	}
	return copied
}

func copyTable(table map[string]any) map[string]any {
	if table == nil {
		return nil
	}
	copied := make(map[string]any, len(table))
	for key, value := range table {
		copied[key] = copyValue(value)
	}
	return copied
}

func copyValue(value any) any {
	switch given := value.(type) {
	case map[string]any:
		return copyTable(given)
	case []any:
		copied := make([]any, len(given))
		for index, member := range given {
			copied[index] = copyValue(member)
		}
		return copied
	}
	return value
}
