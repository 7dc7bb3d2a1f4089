package main

import (
	"fmt"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"
	"unicode"
)

const (
	maximumTextBytes   = 1 << 20
	maximumCached      = 256
	maximumCachedBytes = 8 << 20
	minimumTurnCost    = 256
	emitFunction       = "emit"
)

// turnMarker is what an instrumented template writes at the start of every loop turn and template call; its length
// is the price of the turn. The writer knows it by its address and never passes it on.
var turnMarker = make([]byte, maximumTextBytes+minimumTurnCost)

// changers alter a dictionary in place, so that a value can grow after it was weighed.
var changers = []string{"set", "unset", "merge", "mustMerge", "mergeOverwrite", "mustMergeOverwrite"}

var (
	cached      = map[string]*template.Template{}
	cachedOrder []string
	cachedBytes int
)

// parseTemplate returns the instrumented template, from the cache when the same text was parsed under the same name.
func parseTemplate(name, text string, known template.FuncMap) (*template.Template, error) {
	if len(text) > maximumTextBytes {
		return nil, fmt.Errorf("template: %s: the template has %d bytes, %d are allowed", name, len(text), maximumTextBytes)
	}
	key := name + "\x00" + text
	if isPackages(known) {
		key = "\x00" + key
	}
	if found, ok := cached[key]; ok {
		return found, nil
	}
	parsed, err := template.New(name).Funcs(namedIn(text, known)).Parse(text)
	if err != nil {
		return nil, err
	}
	instrument(parsed)
	// Added after parsing, so that no template can name it.
	parsed.Funcs(template.FuncMap{emitFunction: bounded(emitFunction, func(value any) any { return value })})
	remember(key, parsed)
	return parsed, nil
}

// namedIn returns those functions whose names are words of the text: to give a template all of them takes longer than to
// parse it.
func namedIn(text string, known template.FuncMap) template.FuncMap {
	named := template.FuncMap{}
	for word := range strings.FieldsFuncSeq(text, endsWord) {
		if function, isKnown := known[word]; isKnown {
			named[word] = function
		}
	}
	return named
}

func endsWord(letter rune) bool {
	return letter != '_' && !unicode.IsLetter(letter) && !unicode.IsDigit(letter)
}

func isPackages(known template.FuncMap) bool { return known["fromToml"] != nil }

func remember(key string, parsed *template.Template) {
	cached[key] = parsed
	cachedOrder = append(cachedOrder, key)
	cachedBytes += len(key)
	for len(cachedOrder) > 1 && (len(cachedOrder) > maximumCached || cachedBytes > maximumCachedBytes) {
		delete(cached, cachedOrder[0])
		cachedBytes -= len(cachedOrder[0])
		cachedOrder = slices.Delete(cachedOrder, 0, 1)
	}
}

// instrument puts a turn marker at the start of everything that can run more than once. Where the templates change
// dictionaries, every printed value is weighed as well.
func instrument(parsed *template.Template) {
	walk := instrumentation{changes: namesAny(parsed, changers)}
	for _, each := range parsed.Templates() {
		if each.Tree != nil && each.Root != nil {
			walk.body(each.Root)
		}
	}
}

// namesAny reports whether a template, or one that it defines, names one of the functions.
func namesAny(parsed *template.Template, functions []string) bool {
	return slices.ContainsFunc(parsed.Templates(), func(each *template.Template) bool {
		return each.Tree != nil && each.Root != nil && usesAny(functions, each.Root)
	})
}

type instrumentation struct{ changes bool }

func (walk instrumentation) body(list *parse.ListNode) {
	price := min(max(walk.list(list), minimumTurnCost), len(turnMarker))
	marker := &parse.TextNode{NodeType: parse.NodeText, Pos: list.Pos, Text: turnMarker[:price:price]}
	list.Nodes = slices.Insert(list.Nodes, 0, parse.Node(marker))
}

// list instruments the loops inside and returns the price of one pass, roughly the length of its source.
func (walk instrumentation) list(list *parse.ListNode) int {
	if list == nil {
		return 0
	}
	price := 0
	for _, node := range list.Nodes {
		switch node := node.(type) {
		case *parse.ActionNode:
			price += len(node.Pipe.String())
			if walk.changes && len(node.Pipe.Decl) == 0 {
				node.Pipe.Cmds = append(node.Pipe.Cmds, emitCommand(node.Pipe))
			}
		case *parse.IfNode:
			price += len(node.Pipe.String()) + walk.list(node.List) + walk.list(node.ElseList)
		case *parse.WithNode:
			price += len(node.Pipe.String()) + walk.list(node.List) + walk.list(node.ElseList)
		case *parse.RangeNode:
			price += len(node.Pipe.String()) + walk.list(node.ElseList)
			walk.body(node.List)
		case *parse.TemplateNode:
			price += len(node.String())
		}
	}
	return price
}

func emitCommand(pipe *parse.PipeNode) *parse.CommandNode {
	name := parse.NewIdentifier(emitFunction).SetPos(pipe.Pos)
	return &parse.CommandNode{NodeType: parse.NodeCommand, Pos: pipe.Pos, Args: []parse.Node{name}}
}

// usesAny reports whether a part of a template names one of the functions.
func usesAny(functions []string, node parse.Node) bool {
	usesIn := func(part parse.Node) bool { return usesAny(functions, part) }
	switch node := node.(type) {
	case *parse.ListNode:
		return node != nil && slices.ContainsFunc(node.Nodes, usesIn)
	case *parse.ActionNode:
		return usesIn(node.Pipe)
	case *parse.IfNode:
		return usesIn(node.Pipe) || usesIn(node.List) || usesIn(node.ElseList)
	case *parse.WithNode:
		return usesIn(node.Pipe) || usesIn(node.List) || usesIn(node.ElseList)
	case *parse.RangeNode:
		return usesIn(node.Pipe) || usesIn(node.List) || usesIn(node.ElseList)
	case *parse.TemplateNode:
		return usesIn(node.Pipe)
	case *parse.PipeNode:
		return node != nil && slices.ContainsFunc(node.Cmds, func(command *parse.CommandNode) bool {
			return slices.ContainsFunc(command.Args, usesIn)
		})
	case *parse.ChainNode:
		return usesIn(node.Node)
	case *parse.IdentifierNode:
		return slices.Contains(functions, node.Ident)
	}
	return false
}
