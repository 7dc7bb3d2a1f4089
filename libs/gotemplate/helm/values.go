package main

import (
	"fmt"
	"strings"

	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/strvals"
)

// parameter sets one value by its name.
type parameter struct {
	// Option is --set, --set-string or --set-file.
	Option string `json:"option"`
	// Value is name=value; of --set-file it names a text.
	Value string `json:"value"`
}

// values merges what the request gives, in Helm's order: files, --set, --set-string, --set-file.
func (given request) values() (map[string]any, error) {
	values := map[string]any{}
	for _, text := range given.Values {
		table, err := loader.LoadValues(strings.NewReader(text))
		if err != nil {
			return nil, err
		}
		values = loader.MergeMaps(values, table)
	}
	text := func(name []rune) (any, error) {
		text, isGiven := given.Texts[string(name)]
		if !isGiven {
			return nil, unsupported("was not given a file")
		}
		return text, nil
	}
	for _, option := range []string{"--set", "--set-string", "--set-file"} {
		for _, each := range given.Parameters {
			var err error
			switch {
			case each.Option != option:
			case option == "--set":
				err = strvals.ParseInto(each.Value, values)
			case option == "--set-string":
				err = strvals.ParseIntoString(each.Value, values)
			default:
				err = strvals.ParseIntoFile(each.Value, values, text)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", option, err)
			}
		}
	}
	return values, nil
}
