package main

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
)

// errAddress is the error for what would print the memory address of a value, which differs each time.
var errAddress = errors.New("prints an address in memory, so the same commit would render differently: use %v or %s")

// verbs are those of a format with their flags. Those of plainVerb print no address, whatever the value.
var (
	verbs     = regexp.MustCompile(`(?s)%[-+# 0-9.*\[\]]*.`)
	plainVerb = regexp.MustCompile(`^%[-+ 0-9.*\[\]]*[vsqT%]$`)
)

// format is printf for what prints the same each time.
func format(pattern string, given ...any) (string, error) {
	for _, verb := range verbs.FindAllString(pattern, -1) {
		if plainVerb.MatchString(verb) {
			continue
		}
		if verb[len(verb)-1] == 'p' {
			return "", errAddress
		}
		for _, each := range given {
			if holdsAddress(reflect.ValueOf(each)) {
				return "", errAddress
			}
		}
	}
	return fmt.Sprintf(pattern, given...), nil
}

// holdsAddress is true for everything but scalars, and maps and lists of them.
func holdsAddress(given reflect.Value) bool {
	switch given.Kind() {
	case reflect.Invalid, reflect.Bool, reflect.String:
		return false
	case reflect.Interface:
		return holdsAddress(given.Elem())
	case reflect.Map:
		for each := given.MapRange(); each.Next(); {
			if holdsAddress(each.Value()) {
				return true
			}
		}
		return false
	case reflect.Slice, reflect.Array:
		for index := range given.Len() {
			if holdsAddress(given.Index(index)) {
				return true
			}
		}
		return false
	}
	return !given.CanInt() && !given.CanUint() && !given.CanFloat() && !given.CanComplex()
}
