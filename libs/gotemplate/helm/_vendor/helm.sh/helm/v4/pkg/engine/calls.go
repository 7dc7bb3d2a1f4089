//go:build !contexts

package engine

import "text/template"

func newLookupFunction(ClientProvider) func(string, string, string, string) (map[string]any, error) {
	return findNothing
}

func (e Engine) addFunctions(base *template.Template) { e.initFunMap(base) }
