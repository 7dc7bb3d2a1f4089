package yaml

import (
	"math"
	"unicode/utf8"

	"go.yaml.in/yaml/v2"
)

// largestWhole is the largest whole number below which a float64 has them all.
const largestWhole = 1 << 53

// unmarshalTable reads a mapping of YAML into a table without JSON between them; false if it is not known that JSON would give the same.
func unmarshalTable(text []byte, table map[string]any) bool {
	var read any
	if table == nil || yaml.Unmarshal(text, &read) != nil {
		return false
	}
	converted, isKnown := asJSON(read)
	members, isTable := converted.(map[string]any)
	if !isKnown || !isTable {
		return false
	}
	for key, member := range members {
		table[key] = member
	}
	return true
}

// asJSON converts what YAML's reader made to what JSON's would.
func asJSON(read any) (any, bool) {
	switch value := read.(type) {
	case map[any]any:
		converted := make(map[string]any, len(value))
		for key, member := range value {
			name, isText := key.(string)
			each, isKnown := asJSON(member)
			if !isText || !isKnown || !utf8.ValidString(name) {
				return nil, false
			}
			converted[name] = each
		}
		return converted, true
	case []any:
		return value, convertMembers(value, asJSON)
	case string:
		return value, utf8.ValidString(value)
	case int:
		return float64(value), value > -largestWhole && value < largestWhole
	case float64:
		return value, !math.IsInf(value, 0) && !math.IsNaN(value)
	case bool, nil:
		return value, true
	}
	return nil, false
}
