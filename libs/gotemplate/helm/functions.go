package main

import (
	"maps"
	"slices"
	"text/template"
	"time"

	"github.com/Masterminds/sprig/v3"
)

// replacements take the place of those functions of Helm that read the clock or chance, and of those that list a map in
// no order.
func replacements() template.FuncMap {
	replaced := template.FuncMap{"keys": sortedKeys, "values": sortedValues}
	for _, name := range []string{
		"now", "ago", "randAlphaNum", "randAlpha", "randAscii", "randNumeric", "randInt", "shuffle",
	} {
		replaced[name] = sprig.Without(name)
	}
	own := sprig.TxtFuncMap()
	date := own["date"].(func(string, any) string)
	htmlDate := own["htmlDate"].(func(any) string)
	htmlDateInZone := own["htmlDateInZone"].(func(any, string) string)
	dateInZone := own["dateInZone"].(func(string, any, string) string)
	inZone := func(format string, given any, zone string) (string, error) {
		return dateInZone(format, given, zone), withTime("dateInZone", given)
	}
	maps.Copy(replaced, template.FuncMap{
		"date":     func(format string, given any) (string, error) { return date(format, given), withTime("date", given) },
		"htmlDate": func(given any) (string, error) { return htmlDate(given), withTime("htmlDate", given) },
		"htmlDateInZone": func(given any, zone string) (string, error) {
			return htmlDateInZone(given, zone), withTime("htmlDateInZone", given)
		},
		"dateInZone": inZone, "date_in_zone": inZone,
		"durationRound": func(given any) (string, error) {
			if _, isSince := given.(time.Time); isSince {
				return "", sprig.LeftOut{Name: "durationRound"}
			}
			return own["durationRound"].(func(any) string)(given), nil
		},
	})
	return replaced
}

// withTime fails for what sprig takes for the present.
func withTime(name string, given any) error {
	switch given.(type) {
	case time.Time, *time.Time, int, int32, int64:
		return nil
	}
	return sprig.LeftOut{Name: name}
}

func sortedKeys(dictionaries ...map[string]any) []string {
	all := []string{}
	for _, dictionary := range dictionaries {
		all = append(all, slices.Sorted(maps.Keys(dictionary))...)
	}
	return all
}

func sortedValues(dictionary map[string]any) []any {
	all := []any{}
	for _, key := range slices.Sorted(maps.Keys(dictionary)) {
		all = append(all, dictionary[key])
	}
	return all
}
