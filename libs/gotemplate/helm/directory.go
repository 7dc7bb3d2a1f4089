package main

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"helm.sh/helm/v4/pkg/chart/loader/archive"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/ignore"
)

var byteOrderMark = []byte{0xEF, 0xBB, 0xBF}

// file is one file of a directory with a chart, its name relative to it.
type file struct {
	Name string `json:"name"`
	Data []byte `json:"data"`
}

// loadDirectory reads a chart as Helm reads one from a directory: without the files that .helmignore names.
func loadDirectory(files []file) (*chart.Chart, error) {
	rules := ignore.Empty()
	for _, each := range files {
		if each.Name != ignore.HelmIgnore {
			continue
		}
		parsed, err := ignore.Parse(bytes.NewReader(each.Data))
		if err != nil {
			return nil, err
		}
		rules = parsed
	}
	rules.AddDefaults()
	slices.SortFunc(files, func(a, b file) int { return comparePaths(a.Name, b.Name) })
	var kept []*archive.BufferedFile
	for _, each := range files {
		if isIgnored(rules, each.Name) {
			continue
		}
		if int64(len(each.Data)) > archive.MaxDecompressedFileSize {
			return nil, unsupported("does not read files as large as " + each.Name)
		}
		data := bytes.TrimPrefix(each.Data, byteOrderMark)
		kept = append(kept, &archive.BufferedFile{Name: each.Name, Data: data})
	}
	loaded, err := loader.LoadFiles(kept)
	if err != nil {
		return nil, err
	}
	dropRaw(loaded)
	return loaded, nil
}

// dropRaw forgets the files that packing a chart would need.
func dropRaw(loaded *chart.Chart) {
	loaded.Raw = nil
	for _, below := range loaded.Dependencies() {
		dropRaw(below)
	}
}

// comparePaths gives the order in which directories are walked.
func comparePaths(a, b string) int {
	return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/"))
}

// isIgnored reports whether a rule names a file, or a directory that it is in.
func isIgnored(rules *ignore.Rules, name string) bool {
	for end := range len(name) {
		if name[end] == '/' && rules.Ignore(name[:end], entry{name[:end], true}) {
			return true
		}
	}
	return rules.Ignore(name, entry{name, false})
}

// entry is what the rules ask of a file.
type entry struct {
	path        string
	isDirectory bool
}

func (e entry) Name() string       { return path.Base(e.path) }
func (e entry) IsDir() bool        { return e.isDirectory }
func (e entry) Size() int64        { return 0 }
func (e entry) ModTime() time.Time { return time.Time{} }
func (e entry) Sys() any           { return nil }
func (e entry) Mode() fs.FileMode {
	if e.isDirectory {
		return fs.ModeDir
	}
	return 0
}
