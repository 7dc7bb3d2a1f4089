package yaml

import (
	"bytes"
	"encoding/json"
	"strconv"

	"go.yaml.in/yaml/v2"
)

// maximumKey is below the longest key for which YAML's reader looks ahead.
const maximumKey = 1000

// configuration is the newest text of MarshalConfiguration, which Unmarshal knows again by its place.
var configuration []byte

// MarshalConfiguration returns JSON, which is YAML too, for a reader in this program that calls Unmarshal with it: as both sides are
// known, no text of YAML has to be written and read between them. What YAML might read in another way is written as Marshal does.
func MarshalConfiguration(object any) ([]byte, error) {
	text, err := json.Marshal(object)
	if err != nil || !isPlain(text) {
		return Marshal(object)
	}
	configuration = text
	return text, nil
}

// isConfiguration tells whether a text is the newest of MarshalConfiguration.
func isConfiguration(text []byte) bool {
	return len(text) > 0 && len(text) == len(configuration) && &text[0] == &configuration[0]
}

// unmarshalAny reads YAML as Unmarshal does.
func unmarshalAny(text []byte, object any, options ...JSONOpt) error {
	if isConfiguration(text) {
		return jsonUnmarshal(bytes.NewReader(text), object, options...)
	}
	if table, isTable := object.(*map[string]any); isTable && len(options) == 0 && unmarshalTable(text, *table) {
		return nil
	}
	return unmarshal(text, object, yaml.Unmarshal, options...)
}

// unmarshalJSON reads JSON into what YAML's reader makes of it.
func unmarshalJSON(text []byte, object *any) error {
	if isPlain(text) {
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		var read any
		if decoder.Decode(&read) == nil && !decoder.More() {
			if converted, isKnown := asYAML(read); isKnown {
				*object = converted
				return nil
			}
		}
	}
	return yaml.Unmarshal(text, object)
}

// asYAML converts what JSON's reader made; it does not know numbers other than small whole ones.
func asYAML(read any) (any, bool) {
	switch value := read.(type) {
	case map[string]any:
		converted := make(map[any]any, len(value))
		for key, member := range value {
			each, isKnown := asYAML(member)
			if !isKnown {
				return nil, false
			}
			converted[key] = each
		}
		return converted, true
	case []any:
		return value, convertMembers(value, asYAML)
	case json.Number:
		number, err := strconv.Atoi(string(value))
		return number, err == nil && strconv.Itoa(number) == string(value)
	}
	return read, true
}

// convertMembers converts the members of a list in place; false when one of them is not known.
func convertMembers(list []any, convert func(any) (any, bool)) bool {
	for index, member := range list {
		converted, isKnown := convert(member)
		if !isKnown {
			return false
		}
		list[index] = converted
	}
	return true
}

// isPlain tells whether the readers of JSON and YAML see the same in a JSON text: printable ASCII, without long keys.
func isPlain(text []byte) bool {
	start := -1
	for index := 0; index < len(text); index++ {
		switch each := text[index]; {
		case each < ' ' || each > '~':
			return false
		case each == '"' && start < 0:
			start = index
		case each == '"':
			isKey := index+1 < len(text) && text[index+1] == ':'
			if isKey && index-start > maximumKey {
				return false
			}
			start = -1
		case each == '\\' && !isEscape(text[index+1:]):
			return false
		case each == '\\':
			index++
		}
	}
	return true
}

// isEscape tells whether both readers know what follows a backslash, and take it for one character.
func isEscape(rest []byte) bool {
	if len(rest) > 1 && rest[0] == 'u' {
		return rest[1] != 'd' && rest[1] != 'D'
	}
	return len(rest) > 0 && rest[0] != '/'
}
