package sprig
import (util "github.com/Masterminds/goutils"; "github.com/huandu/xstrings")
func Functions() map[string]any { return map[string]any{"a": util.Wrap, "x": xstrings.ToKebabCase, "default": dfault, "merge": merge, "semver": semver, "urlParse": urlParse, "addf": execDecimalOp, "int": toInt, "deepCopy": deepCopy, "regexFind": regexFind, "join": join, "sortAlpha": sortAlpha, "toDate": toDate, "toJson": toJson, "sha": sha1sum, "first": first} }
