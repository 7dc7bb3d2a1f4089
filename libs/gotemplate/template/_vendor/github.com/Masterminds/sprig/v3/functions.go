// Package sprig takes the place of sprig's own list of functions: build.ts lays this file over sprig's functions.go
// and removes crypto.go and network.go, so that nothing which reads the environment, the network, the clock or
// chance is compiled in.
package sprig

import (
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/adler32"
	"maps"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	util "github.com/Masterminds/goutils"
	"github.com/huandu/xstrings"
	"github.com/shopspring/decimal"
)

func addDecimal(a, b decimal.Decimal) decimal.Decimal      { return a.Add(b) }
func subtractDecimal(a, b decimal.Decimal) decimal.Decimal { return a.Sub(b) }
func multiplyDecimal(a, b decimal.Decimal) decimal.Decimal { return a.Mul(b) }
func divideDecimal(a, b decimal.Decimal) decimal.Decimal   { return a.Div(b) }

func trimAll(cutset, text string) string { return strings.Trim(text, cutset) }

func sum(addends ...interface{}) int64 {
	var total int64
	for _, addend := range addends {
		total += toInt64(addend)
	}
	return total
}

func product(first interface{}, rest ...interface{}) int64 {
	total := toInt64(first)
	for _, factor := range rest {
		total *= toInt64(factor)
	}
	return total
}

// formatDate is htmlDate without sprig's fall-back to the present time.
func formatDate(date interface{}) (string, error) {
	switch given := date.(type) {
	case time.Time:
		return given.UTC().Format(time.DateOnly), nil
	case int64:
		return time.Unix(given, 0).UTC().Format(time.DateOnly), nil
	case int:
		return time.Unix(int64(given), 0).UTC().Format(time.DateOnly), nil
	}
	return "", fmt.Errorf("%v is no date: give the result of toDate, or seconds since 1970", date)
}

// sortedKeys is keys in one order each time: those of each dictionary sorted, a dictionary after the other.
func sortedKeys(dictionaries ...map[string]interface{}) []string {
	all := []string{}
	for _, dictionary := range dictionaries {
		all = append(all, slices.Sorted(maps.Keys(dictionary))...)
	}
	return all
}

// sortedValues is values in the order of their keys.
func sortedValues(dictionary map[string]interface{}) []interface{} {
	all := []interface{}{}
	for _, key := range slices.Sorted(maps.Keys(dictionary)) {
		all = append(all, dictionary[key])
	}
	return all
}

// Functions returns the text functions whose result depends on their arguments alone.
func Functions() map[string]interface{} {
	return map[string]interface{}{
		// Dates that the template is given.
		"dateModify": dateModify, "date_modify": dateModify,
		"mustDateModify": mustDateModify, "must_date_modify": mustDateModify,
		"toDate": toDate, "mustToDate": mustToDate,
		"htmlDate": formatDate, "unixEpoch": unixEpoch, "duration": duration,

		// Text.
		"abbrev": abbrev, "abbrevboth": abbrevboth, "trunc": trunc, "substr": substring, "initials": initials,
		"trim": strings.TrimSpace, "trimAll": trimAll, "trimall": trimAll,
		"trimSuffix": func(suffix, text string) string { return strings.TrimSuffix(text, suffix) },
		"trimPrefix": func(prefix, text string) string { return strings.TrimPrefix(text, prefix) },
		"upper":      strings.ToUpper, "lower": strings.ToLower, "title": strings.Title, "untitle": untitle,
		"swapcase": util.SwapCase, "snakecase": xstrings.ToSnakeCase, "camelcase": xstrings.ToPascalCase,
		"kebabcase": xstrings.ToKebabCase, "nospace": util.DeleteWhiteSpace,
		"repeat":    func(count int, text string) string { return strings.Repeat(text, count) },
		"wrap":      func(width int, text string) string { return util.Wrap(text, width) },
		"wrapWith":  func(width int, separator, text string) string { return util.WrapCustom(text, width, separator, true) },
		"contains":  func(part, text string) bool { return strings.Contains(text, part) },
		"hasPrefix": func(prefix, text string) bool { return strings.HasPrefix(text, prefix) },
		"hasSuffix": func(suffix, text string) bool { return strings.HasSuffix(text, suffix) },
		"quote":     quote, "squote": squote, "cat": cat, "indent": indent, "nindent": nindent, "replace": replace,
		"plural": plural, "toString": strval, "join": join, "sortAlpha": sortAlpha,
		"split": split, "splitn": splitn, "toStrings": strslice,
		"splitList": func(separator, text string) []string { return strings.Split(text, separator) },

		// Numbers.
		"atoi":  func(text string) int { number, _ := strconv.Atoi(text); return number },
		"int64": toInt64, "int": toInt, "float64": toFloat64, "toDecimal": toDecimal,
		"seq": seq, "until": until, "untilStep": untilStep,
		"add": sum, "mul": product,
		"add1":  func(a interface{}) int64 { return toInt64(a) + 1 },
		"sub":   func(a, b interface{}) int64 { return toInt64(a) - toInt64(b) },
		"div":   func(a, b interface{}) int64 { return toInt64(a) / toInt64(b) },
		"mod":   func(a, b interface{}) int64 { return toInt64(a) % toInt64(b) },
		"add1f": func(a interface{}) float64 { return execDecimalOp(a, []interface{}{1}, addDecimal) },
		"addf":  func(a ...interface{}) float64 { return execDecimalOp(float64(0), a, addDecimal) },
		"subf":  func(a interface{}, b ...interface{}) float64 { return execDecimalOp(a, b, subtractDecimal) },
		"mulf":  func(a interface{}, b ...interface{}) float64 { return execDecimalOp(a, b, multiplyDecimal) },
		"divf":  func(a interface{}, b ...interface{}) float64 { return execDecimalOp(a, b, divideDecimal) },
		"max":   max, "biggest": max, "min": min, "maxf": maxf, "minf": minf,
		"ceil": ceil, "floor": floor, "round": round,

		// Choice and kinds.
		"default": dfault, "empty": empty, "coalesce": coalesce, "all": all, "any": any, "ternary": ternary,
		"typeOf": typeOf, "typeIs": typeIs, "typeIsLike": typeIsLike, "kindOf": kindOf, "kindIs": kindIs,
		"deepEqual": reflect.DeepEqual,
		"fail":      func(message string) (string, error) { return "", errors.New(message) },

		// JSON.
		"fromJson": fromJson, "mustFromJson": mustFromJson, "toJson": toJson, "mustToJson": mustToJson,
		"toPrettyJson": toPrettyJson, "mustToPrettyJson": mustToPrettyJson,
		"toRawJson": toRawJson, "mustToRawJson": mustToRawJson,

		// Paths.
		"base": path.Base, "dir": path.Dir, "clean": path.Clean, "ext": path.Ext, "isAbs": path.IsAbs,
		"osBase": path.Base, "osDir": path.Dir, "osClean": path.Clean, "osExt": path.Ext, "osIsAbs": path.IsAbs,

		// Encodings and check sums.
		"b64enc": base64encode, "b64dec": base64decode, "b32enc": base32encode, "b32dec": base32decode,
		"sha1sum":    func(text string) string { hash := sha1.Sum([]byte(text)); return hex.EncodeToString(hash[:]) },
		"sha256sum":  func(text string) string { hash := sha256.Sum256([]byte(text)); return hex.EncodeToString(hash[:]) },
		"sha512sum":  func(text string) string { hash := sha512.Sum512([]byte(text)); return hex.EncodeToString(hash[:]) },
		"adler32sum": func(text string) string { return fmt.Sprint(adler32.Checksum([]byte(text))) },

		// Dictionaries and lists.
		"dict": dict, "get": get, "set": set, "unset": unset, "hasKey": hasKey, "pluck": pluck, "keys": sortedKeys,
		"pick": pick, "omit": omit, "values": sortedValues, "dig": dig, "deepCopy": deepCopy, "mustDeepCopy": mustDeepCopy,
		"merge": merge, "mustMerge": mustMerge,
		"mergeOverwrite": mergeOverwrite, "mustMergeOverwrite": mustMergeOverwrite,
		"list": list, "tuple": list, "append": push, "push": push, "mustAppend": mustPush, "mustPush": mustPush,
		"prepend": prepend, "mustPrepend": mustPrepend, "first": first, "mustFirst": mustFirst,
		"rest": rest, "mustRest": mustRest, "last": last, "mustLast": mustLast, "initial": initial,
		"mustInitial": mustInitial, "reverse": reverse, "mustReverse": mustReverse, "uniq": uniq, "mustUniq": mustUniq,
		"without": without, "mustWithout": mustWithout, "has": has, "mustHas": mustHas, "slice": slice,
		"mustSlice": mustSlice, "concat": concat, "chunk": chunk, "mustChunk": mustChunk,
		"compact": compact, "mustCompact": mustCompact,

		// Versions, expressions and URLs.
		"semver": semver, "semverCompare": semverCompare,
		"regexMatch": regexMatch, "mustRegexMatch": mustRegexMatch,
		"regexFind": regexFind, "mustRegexFind": mustRegexFind,
		"regexFindAll": regexFindAll, "mustRegexFindAll": mustRegexFindAll,
		"regexReplaceAll": regexReplaceAll, "mustRegexReplaceAll": mustRegexReplaceAll,
		"regexReplaceAllLiteral": regexReplaceAllLiteral, "mustRegexReplaceAllLiteral": mustRegexReplaceAllLiteral,
		"regexSplit": regexSplit, "mustRegexSplit": mustRegexSplit, "regexQuoteMeta": regexQuoteMeta,
		"urlParse": urlParse, "urlJoin": urlJoin,
	}
}
