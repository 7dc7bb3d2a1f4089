package main

import (
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	release "helm.sh/helm/v4/pkg/release/v1"
	releaseutil "helm.sh/helm/v4/pkg/release/v1/util"
)

const separator = "---"

// topKey is a line that begins an entry of a document in block style.
var topKey = regexp.MustCompile(`^([A-Za-z0-9_./-]+):(?:\s|$)`)

// decidingKeys are what Helm reads of a document to sort it.
var decidingKeys = []string{"apiVersion", "kind", "metadata"}

// sortManifests is Helm's, which parses every document for its head; it is given the heads alone. Whoever takes the
// manifests parses them whole.
func sortManifests(files map[string]string) ([]*release.Hook, []releaseutil.Manifest, error) {
	var documents []string
	heads := make(map[string]string, len(files))
	for name, content := range files {
		if strings.TrimSpace(content) == "" {
			continue
		}
		var parts []string
		for _, text := range split(content) {
			parts = append(parts, headOf(text)+"\n#"+strconv.Itoa(len(documents)))
			documents = append(documents, text)
		}
		heads[name] = strings.Join(parts, "\n---\n")
	}
	hooks, manifests, err := releaseutil.SortManifests(heads, nil, releaseutil.InstallOrder)
	if err != nil {
		return releaseutil.SortManifests(files, nil, releaseutil.InstallOrder)
	}
	for index := range manifests {
		manifests[index].Content = wholeOf(manifests[index].Content, documents)
	}
	for _, hook := range hooks {
		hook.Manifest = wholeOf(hook.Manifest, documents)
	}
	return hooks, manifests, nil
}

// split returns the documents of a file as Helm does, whose expression for what separates them takes long.
func split(content string) []string {
	content = strings.TrimSpace(content)
	if rest := strings.TrimPrefix(content, separator); !strings.Contains(rest, "\n"+separator) {
		if rest = strings.TrimSpace(rest); rest == "" {
			return nil
		}
		return []string{rest}
	}
	documents := releaseutil.SplitManifests(content)
	keys := make([]string, 0, len(documents))
	for key := range documents {
		keys = append(keys, key)
	}
	sort.Sort(releaseutil.BySplitManifestsOrder(keys))
	texts := make([]string, len(keys))
	for index, key := range keys {
		texts[index] = documents[key]
	}
	return texts
}

// wholeOf returns the document whose number ends a head.
func wholeOf(head string, documents []string) string {
	number, err := strconv.Atoi(head[strings.LastIndexByte(head, '#')+1:])
	if err != nil {
		panic(err)
	}
	return documents[number]
}

// headOf leaves out the entries that do not decide; a document that is not plainly in block style stays whole.
func headOf(document string) string {
	var head strings.Builder
	isInEntry, decides := false, false
	for line := range strings.Lines(document) {
		switch {
		case strings.TrimSpace(line) == "" || strings.IndexByte(" \t", line[0]) >= 0 || line[0] == '-':
			if !isInEntry {
				return document
			}
		case line[0] == '#':
			continue
		default:
			key := topKey.FindStringSubmatch(line)
			if key == nil {
				return document
			}
			isInEntry, decides = true, slices.Contains(decidingKeys, key[1])
		}
		if decides {
			head.WriteString(line)
		}
	}
	return strings.TrimRight(head.String(), "\n")
}
