//go:build !keptends

package main

import "strings"

// spaces are what Helm's expression for a separator counts as such.
const spaces = "\t\n\f\r "

// split returns the documents of a file as Helm's SplitManifests does, whose regular expression takes long: a separator stands at the
// beginning or after an end of line, with the spaces around it.
func split(content string) []string {
	var documents []string
	add := func(document string) {
		if document != "" {
			documents = append(documents, strings.TrimSpace(document))
		}
	}
	rest := strings.TrimSpace(content)
	if after, isThere := strings.CutPrefix(rest, separator); isThere {
		rest = strings.TrimLeft(after, spaces)
	}
	for {
		before, after, isThere := strings.Cut(rest, "\n"+separator)
		if !isThere {
			add(rest)
			return documents
		}
		add(strings.TrimRight(before, spaces))
		rest = strings.TrimLeft(after, spaces)
	}
}
