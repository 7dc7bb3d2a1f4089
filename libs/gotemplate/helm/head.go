package main

import (
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// topKey is a line that begins an entry of a document in block style.
var topKey = regexp.MustCompile(`^([A-Za-z0-9_./-]+):(?:\s|$)`)

// decidingKeys are what Helm reads of a document to sort it.
var decidingKeys = []string{"apiVersion", "kind", "metadata"}

// headOf leaves out the entries that do not decide; a document that is not plainly in block style stays whole. Comments around it keep it
// from being empty, since an object without a kind is one too, and keep the end of its last line, which can belong to a value.
func headOf(document string) string {
	var head strings.Builder
	head.WriteString("#\n")
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
			isInEntry, decides = true, decidingPlace(key[1]) >= 0
		}
		if decides {
			head.WriteString(line)
		}
	}
	if text := head.String(); !strings.HasSuffix(text, "\n") {
		return text
	}
	head.WriteString("#")
	return head.String()
}

// decidingPlace returns the place of a key among those that decide. Helm reads JSON, for whose keys upper and lower case are one.
func decidingPlace(key string) int {
	return slices.IndexFunc(decidingKeys, func(deciding string) bool { return strings.EqualFold(deciding, key) })
}

// plainKind returns the kind of a document that is not a hook, if that is plain to see: Helm would find each key of its head once, at the
// beginning of a line, and nothing in the head that it does not expect there.
func plainKind(document string) (kind string, isPlain bool) {
	var metadata []string
	var seen [3]int
	entry := ""
	for line := range strings.Lines(document) {
		line = strings.TrimRight(line, " \r\n")
		switch {
		case line == "" || line[0] == '#':
		case line[0] == ' ' || line[0] == '-' && entry != "":
			if entry == "apiVersion" || entry == "kind" || entry == "" {
				return "", false
			}
			if entry == "metadata" {
				metadata = append(metadata, line)
			}
		default:
			key, value, isEntry := strings.Cut(line, ":")
			if !isEntry || !yaml.IsWord(key) || value != "" && value[0] != ' ' {
				return "", false
			}
			entry = key
			place := decidingPlace(key)
			if place < 0 {
				continue
			}
			entry = decidingKeys[place]
			seen[place]++
			value = strings.TrimLeft(value, " ")
			if entry == "metadata" && value != "" || entry != "metadata" && !yaml.IsWord(value) {
				return "", false
			}
			if entry == "kind" {
				kind = value
			}
		}
	}
	return kind, seen == [3]int{1, 1, 1} && isPlainMetadata(metadata)
}

// isPlainMetadata tells whether a block has entries with plain keys, among them annotations that are texts, and names no hook.
func isPlainMetadata(lines []string) bool {
	if len(lines) == 0 {
		return false
	}
	depth := indentation(lines[0])
	inAnnotations := false
	annotationDepth := 0
	for _, line := range lines {
		if strings.ContainsAny(line, "\\!&*\t") || strings.Contains(line, "hook") {
			return false
		}
		indented := indentation(line)
		text := line[indented:]
		switch {
		case text[0] == '#':
		case indented < depth:
			return false
		case indented == depth:
			key, value, isEntry := strings.Cut(text, ":")
			if !isEntry || !yaml.IsWord(key) {
				return false
			}
			inAnnotations, annotationDepth = strings.EqualFold(key, "annotations"), 0
			value = strings.TrimLeft(value, " ")
			if inAnnotations && value != "" || strings.EqualFold(key, "name") && !isText(value) {
				return false
			}
		case inAnnotations:
			if annotationDepth == 0 {
				annotationDepth = indented
			}
			_, value, isEntry := strings.Cut(text, ": ")
			if indented != annotationDepth || !isEntry || !isText(strings.TrimLeft(value, " ")) {
				return false
			}
		}
	}
	return true
}

func indentation(line string) int {
	return len(line) - len(strings.TrimLeft(line, " "))
}

// isText tells whether a value is a scalar, if it is YAML at all.
func isText(value string) bool {
	return value != "" && (isAlphanumeric(value[0]) || value[0] == '"' || value[0] == '\'')
}

func isAlphanumeric(each byte) bool {
	return each >= '0' && each <= '9' || each >= 'A' && each <= 'Z' || each >= 'a' && each <= 'z'
}
