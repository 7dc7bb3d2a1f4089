//go:build keptends

package main

import (
	"strings"
	"unicode"
)

// split returns the documents of a file as Helm's SplitManifests does, whose regular expression takes long: a separator begins a line,
// and the spaces and empty lines at the end of a document stay.
func split(content string) []string {
	var documents []string
	rest := strings.TrimLeftFunc(content, unicode.IsSpace)
	isFirst := true
	for {
		end, next := nextSeparator(rest, isFirst)
		if document := strings.TrimLeftFunc(rest[:end], unicode.IsSpace); document != "" {
			documents = append(documents, document)
		}
		if next < 0 {
			return documents
		}
		rest, isFirst = rest[next:], false
	}
}

// nextSeparator returns where a document ends and where the next one begins; -1 after the last one. The text begins a line or not.
func nextSeparator(text string, beginsLine bool) (end, next int) {
	if beginsLine && strings.HasPrefix(text, separator) {
		return 0, len(separator)
	}
	before := strings.Index(text, "\n"+separator)
	if before < 0 {
		return len(text), -1
	}
	return before + 1, before + 1 + len(separator)
}
