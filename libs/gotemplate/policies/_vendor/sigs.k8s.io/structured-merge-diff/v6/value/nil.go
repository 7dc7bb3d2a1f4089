package value

import "reflect"

// safeIsNil is true for a nil value of a type that has one.
func safeIsNil(value reflect.Value) bool {
	switch value.Kind() {
	case reflect.Chan, reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer, reflect.Slice, reflect.UnsafePointer:
		return value.IsNil()
	default:
		return false
	}
}

// dereference returns what a pointer or an interface holds, if anything.
func dereference(value reflect.Value) reflect.Value {
	if kind := value.Kind(); kind != reflect.Pointer && kind != reflect.Interface || value.IsNil() {
		return value
	}
	return value.Elem()
}
