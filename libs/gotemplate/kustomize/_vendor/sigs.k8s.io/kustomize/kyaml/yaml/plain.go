package yaml

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"
)

// isWord is for the files of this package, which do not import that of the function.
var isWord = yaml.IsWord

// plainJSON returns the node as JSON without writing it as YAML and reading that, if both ways are known to give the same: for plain
// texts, small whole numbers, booleans and null.
func (rn *RNode) plainJSON() ([]byte, bool) {
	node := rn.YNode()
	if node.Kind != MappingNode && node.Kind != SequenceNode {
		return nil, false
	}
	value, isPlain := plainValue(node)
	if !isPlain {
		return nil, false
	}
	text, err := json.Marshal(value)
	return text, err == nil
}

func plainValue(node *Node) (any, bool) {
	if node.Anchor != "" {
		return nil, false
	}
	switch node.Kind {
	case MappingNode:
		return plainMapping(node)
	case SequenceNode:
		members := make([]any, len(node.Content))
		for index, each := range node.Content {
			member, isPlain := plainValue(each)
			if !isPlain {
				return nil, false
			}
			members[index] = member
		}
		return members, true
	case ScalarNode:
		return plainScalar(node)
	}
	return nil, false
}

func plainMapping(node *Node) (any, bool) {
	members := make(map[string]any, len(node.Content)/2)
	for index := 0; index+1 < len(node.Content); index += 2 {
		key, isPlain := plainValue(node.Content[index])
		name, isString := key.(string)
		if _, isTwice := members[name]; !isPlain || !isString || isTwice || name == "<<" {
			return nil, false
		}
		if members[name], isPlain = plainValue(node.Content[index+1]); !isPlain {
			return nil, false
		}
	}
	return members, true
}

func plainScalar(node *Node) (any, bool) {
	switch {
	case node.Tag == NodeTagString || node.Tag == NodeTagEmpty && (node.Style != 0 || isWord(node.Value)):
		return node.Value, isPlainText(node)
	case node.Style != 0:
		return nil, false
	case node.Tag == NodeTagInt:
		number, err := strconv.Atoi(node.Value)
		return number, err == nil && strconv.Itoa(number) == node.Value
	case node.Tag == NodeTagBool:
		return node.Value == "true", node.Value == "true" || node.Value == "false"
	case node.Tag == NodeTagNull:
		return nil, node.Value == "null"
	}
	return nil, false
}

// isPlainText tells whether a string is printable ASCII, and its lines, if it has several, neither are empty nor begin or end with spaces.
func isPlainText(node *Node) bool {
	lines := strings.Split(strings.TrimSuffix(node.Value, "\n"), "\n")
	switch node.Style {
	case 0, SingleQuotedStyle, DoubleQuotedStyle:
		if len(lines) == 1 && lines[0] == node.Value {
			return isPrintable(node.Value)
		}
	case LiteralStyle:
	default:
		return false
	}
	return node.Style != SingleQuotedStyle && !slices.ContainsFunc(lines, func(line string) bool {
		return line == "" || strings.TrimSpace(line) != line || !isPrintable(line)
	})
}

func isPrintable(text string) bool {
	for index := range len(text) {
		if text[index] < ' ' || text[index] > '~' {
			return false
		}
	}
	return true
}
