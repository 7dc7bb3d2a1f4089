package yaml

import (
	"slices"
	"strings"
)

// keywords are words that some reader of YAML does not take for strings.
var keywords = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}

// IsWord tells of some texts that they are strings for every reader of YAML: words of ASCII that are no keywords.
func IsWord(text string) bool {
	if text == "" || !isLetter(text[0]) {
		return false
	}
	for index := range len(text) {
		switch each := text[index]; {
		case isLetter(each), each >= '-' && each <= '9', each == '_':
		default:
			return false
		}
	}
	return !slices.ContainsFunc(keywords, func(keyword string) bool { return strings.EqualFold(keyword, text) })
}

func isLetter(each byte) bool {
	return each >= 'a' && each <= 'z' || each >= 'A' && each <= 'Z'
}
