package main

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"text/template"
	"time"
)

const (
	// maximumWork counts source passed, bytes printed and what functions read and gave, in bytes or list members.
	maximumWork       = 256 << 20
	maximumTime       = 2 * time.Second
	workBetweenClocks = 64 << 10
	// maximumValue is the largest weight of one function call's arguments, and of its result.
	maximumValue = 4 << 20
	maximumDepth = 64
)

var (
	errTooMuchWork = errors.New("too much work: shorten the loops or the data")
	errTooLarge    = fmt.Errorf("a value is larger than %d bytes", maximumValue)
	errTooDeep     = fmt.Errorf("a value is nested more than %d levels deep", maximumDepth)
)

// effort is what one execution may still spend. There is one execution at a time.
type effort struct {
	work       int
	untilClock int
	deadline   time.Time
}

var current effort

func (left *effort) spend(work int) error {
	left.work -= work
	left.untilClock -= work
	if left.work < 0 {
		return errTooMuchWork
	}
	if left.untilClock < 0 {
		left.untilClock = workBetweenClocks
		if time.Now().After(left.deadline) {
			return errTooMuchWork
		}
	}
	return nil
}

type boundedOutput struct {
	text    strings.Builder
	maximum int
}

func (output *boundedOutput) Write(part []byte) (int, error) {
	if err := current.spend(len(part) + 1); err != nil {
		return 0, err
	}
	if len(part) > 0 && &part[0] == &turnMarker[0] {
		return len(part), nil
	}
	if output.text.Len()+len(part) > output.maximum {
		return 0, fmt.Errorf("the output is larger than %d bytes", output.maximum)
	}
	return output.text.Write(part)
}

func execute(parsed *template.Template, data any, maximumBytes int) (string, error) {
	current = effort{work: maximumWork, untilClock: workBetweenClocks, deadline: time.Now().Add(maximumTime)}
	output := boundedOutput{maximum: maximumBytes}
	err := parsed.Execute(&output, data)
	var located template.ExecError
	if err != nil && !errors.As(err, &located) {
		// An error of the writer arrives bare.
		err = fmt.Errorf("template: %s: %w", parsed.Name(), err)
	}
	return output.text.String(), err
}

// weigh returns the weight of a value as it would be written out: shared parts count as often as they appear.
func weigh(value any, depth int, left int) (int, error) {
	if depth > maximumDepth {
		return 0, errTooDeep
	}
	weight := 1
	add := func(member any) error {
		part, err := weigh(member, depth+1, left-weight)
		weight += part
		return err
	}
	switch given := value.(type) {
	case nil, bool, int, int64, float64:
	case string:
		weight += len(given)
	case map[string]any:
		for key, member := range given {
			weight += len(key)
			if err := add(member); err != nil {
				return 0, err
			}
		}
	case []any:
		for _, member := range given {
			if err := add(member); err != nil {
				return 0, err
			}
		}
	case []string:
		for _, member := range given {
			weight += len(member) + 1
		}
	default:
		if err := weighOther(reflect.ValueOf(value), add, &weight); err != nil {
			return 0, err
		}
	}
	if weight > left {
		return 0, errTooLarge
	}
	return weight, nil
}

func weighOther(value reflect.Value, add func(any) error, weight *int) error {
	switch value.Kind() {
	case reflect.Slice, reflect.Array:
		if value.Type().Elem().Kind() == reflect.Int {
			*weight += value.Len()
			return nil
		}
		for index := range value.Len() {
			if err := add(value.Index(index).Interface()); err != nil {
				return err
			}
		}
	case reflect.Map:
		for _, key := range value.MapKeys() {
			*weight += len(key.String())
			if err := add(value.MapIndex(key).Interface()); err != nil {
				return err
			}
		}
	case reflect.String:
		*weight += value.Len()
	case reflect.Struct:
		for index := range value.NumField() {
			if value.Type().Field(index).IsExported() {
				if err := add(value.Field(index).Interface()); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
