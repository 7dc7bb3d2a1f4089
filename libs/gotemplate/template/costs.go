package main

import (
	"math"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
)

const (
	maximumPattern = 4 << 10
	// maximumMatching is the product of an expression's instructions and the bytes that it may look at.
	maximumMatching = 1 << 31
	unaffordable    = math.MaxInt
)

// costs foresees the size of a result that can be much larger than the arguments, before it is made.
// Arguments have the kinds that the function declares.
var costs = map[string]func(arguments []any) int{
	"repeat":    func(a []any) int { return times(a[0].(int), len(a[1].(string))) },
	"until":     func(a []any) int { return steps(0, a[0].(int), 1) },
	"untilStep": func(a []any) int { return steps(a[0].(int), a[1].(int), a[2].(int)) },
	"seq":       sequence,
	"indent":    indentation,
	"nindent":   indentation,
	"replace": func(a []any) int {
		return times(strings.Count(a[2].(string), a[0].(string)), len(a[1].(string)))
	},
	"join":     func(a []any) int { return times(members(a[1]), len(a[0].(string))) },
	"wrap":     func(a []any) int { return len(a[1].(string)) * 2 },
	"wrapWith": func(a []any) int { return times(len(a[2].(string))/max(a[0].(int), 1)+1, len(a[1].(string))) },
	"printf":   formatted,
	"uniq":     squared, "mustUniq": squared,
	"without": pairs, "mustWithout": pairs,
	"chunk": chunks, "mustChunk": chunks,
	"semver": versions, "semverCompare": versions,
	"toPrettyJson": nested, "mustToPrettyJson": nested, "toYaml": nested,
	"mustToYaml": nested, "toYamlPretty": nested, "toToml": nested,
	"regexMatch": matchOnce, "mustRegexMatch": matchOnce,
	"regexFind": matchOnce, "mustRegexFind": matchOnce,
	"regexFindAll": matchAll, "mustRegexFindAll": matchAll,
	"regexSplit": matchAll, "mustRegexSplit": matchAll,
	"regexReplaceAll": replaceAll, "mustRegexReplaceAll": replaceAll,
	"regexReplaceAllLiteral": replaceAll, "mustRegexReplaceAllLiteral": replaceAll,
}

// times multiplies without overflow.
func times(a, b int) int {
	if a <= 0 || b <= 0 {
		return 0
	}
	if a > maximumValue || b > maximumValue {
		return unaffordable
	}
	return a * b
}

// steps counts the numbers from start to stop. Numbers near the ends of the range would overflow and never arrive.
func steps(start, stop, step int) int {
	for _, number := range []int{start, stop, step} {
		if number > math.MaxInt32 || number < math.MinInt32 {
			return unaffordable
		}
	}
	if step == 0 {
		return 0
	}
	distance := max(stop-start, start-stop)
	return times(distance/max(step, -step)+1, 4)
}

func sequence(a []any) int {
	switch len(a) {
	case 1:
		return times(steps(1, a[0].(int), 1), 3)
	case 2:
		return times(steps(a[0].(int), a[1].(int), 1), 3)
	case 3:
		return times(steps(a[0].(int), a[2].(int), a[1].(int)), 3)
	}
	return 0
}

func indentation(a []any) int {
	text := a[1].(string)
	return times(a[0].(int), strings.Count(text, "\n")+1)
}

// formatted foresees printf: every verb may print the largest argument, in its widest notation, and pad it.
func formatted(a []any) int {
	format := a[0].(string)
	largest, starred := 0, 0
	for _, argument := range a[1:] {
		largest = max(largest, must(weigh(argument, 0, maximumValue)))
		if width, ok := argument.(int); ok {
			starred = max(starred, width, -width)
		}
		if width, ok := argument.(int64); ok {
			starred = max(starred, int(width), -int(width))
		}
	}
	padding := times(strings.Count(format, "*"), starred)
	for _, digits := range strings.FieldsFunc(format, func(r rune) bool { return r < '0' || r > '9' }) {
		width, err := strconv.Atoi(digits)
		if err != nil || width > maximumValue {
			return unaffordable
		}
		padding += width
	}
	return padding + times(strings.Count(format, "%"), largest)
}

func members(list any) int {
	switch given := list.(type) {
	case []any:
		return len(given)
	case []string:
		return len(given)
	case string:
		return 1
	}
	return must(weigh(list, 0, maximumValue))
}

// squared and pairs hold functions that compare every member with every other to about a thousand members.
func squared(a []any) int { return times(members(a[0]), must(weigh(a[0], 0, maximumValue))/4+1) }

func pairs(a []any) int { return times(len(a), must(weigh(a[0], 0, maximumValue))) }

func chunks(a []any) int {
	if a[0].(int) <= 0 {
		return unaffordable
	}
	return 0
}

func versions(a []any) int {
	for _, argument := range a {
		if len(argument.(string)) > maximumVersion {
			return unaffordable
		}
	}
	return 0
}

// nested foresees indentation: a line may be indented by two spaces for each level.
func nested(a []any) int {
	return times(must(weigh(a[0], 0, maximumValue)), 4)
}

// instructions is the length of an expression's program; an expression that does not compile costs nothing, since
// the function then fails.
func instructions(pattern string) int {
	if len(pattern) > maximumPattern {
		return unaffordable
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 0
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return 0
	}
	return len(program.Inst)
}

func matchOnce(a []any) int { return matching(a[0].(string), len(a[1].(string))) }

// matchAll allows for a scan to the end of the text from each of its places.
func matchAll(a []any) int {
	size := len(a[1].(string))
	return matching(a[0].(string), times(size, size))
}

func matching(pattern string, looks int) int {
	program := instructions(pattern)
	if program > maximumPattern || looks > maximumMatching/max(program, 1) {
		return unaffordable
	}
	return 0
}

func replaceAll(a []any) int {
	pattern, text, replacement := a[0].(string), a[1].(string), a[2].(string)
	if matchAll(a) == unaffordable {
		return unaffordable
	}
	expression, err := regexp.Compile(pattern)
	if err != nil {
		return 0
	}
	matches := len(expression.FindAllStringIndex(text, -1))
	return times(matches, len(replacement)) + times(strings.Count(replacement, "$"), len(text))
}
