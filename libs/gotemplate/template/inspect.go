package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"text/template/parse"
)

// use is a name in a template and where it stands; lines and columns begin at 1, columns count bytes.
type use struct {
	Path   []string `json:"path"`
	Line   int      `json:"line"`
	Column int      `json:"column"`
}

// uses are what a template names, in the order of the text.
type uses struct {
	// Fields are chains that begin at the dot: .a.b, and index .a "b" with texts.
	Fields []use `json:"fields"`
	// Functions are the names of functions, one in each path.
	Functions []use `json:"functions"`
	// Undefined are those functions that do not exist.
	Undefined []use `json:"undefined"`
}

type inspector struct {
	// lineStarts are the places where lines begin.
	lineStarts []int
	uses       uses
}

// inspect parses a template without executing it and returns what it names as JSON.
func inspect(name, text string) (string, error) {
	if len(text) > maximumTextBytes {
		return "", fmt.Errorf("template: %s: the template has %d bytes, %d are allowed", name, len(text), maximumTextBytes)
	}
	tree := parse.New(name)
	tree.Mode = parse.SkipFuncCheck
	trees := map[string]*parse.Tree{}
	if _, err := tree.Parse(text, "", "", trees); err != nil {
		return "", err
	}
	lineStarts := []int{0}
	for position := range len(text) {
		if text[position] == '\n' {
			lineStarts = append(lineStarts, position+1)
		}
	}
	looking := inspector{lineStarts: lineStarts, uses: uses{Fields: []use{}, Functions: []use{}, Undefined: []use{}}}
	looking.node(tree.Root)
	for _, defined := range slices.Sorted(maps.Keys(trees)) {
		if trees[defined] != tree {
			looking.node(trees[defined].Root)
		}
	}
	encoded, err := json.Marshal(looking.uses)
	return string(encoded), err
}

func (looking *inspector) use(path []string, position int) use {
	line, isStart := slices.BinarySearch(looking.lineStarts, position)
	if isStart {
		line++
	}
	return use{Path: path, Line: line, Column: position - looking.lineStarts[line-1] + 1}
}

func (looking *inspector) field(field *parse.FieldNode, further ...string) {
	// The parser places a chain at its second name.
	position := int(field.Pos)
	if len(field.Ident) > 1 {
		position -= len(field.Ident[0]) + 1
	}
	path := append(append([]string{}, field.Ident...), further...)
	looking.uses.Fields = append(looking.uses.Fields, looking.use(path, max(position, 0)))
}

func (looking *inspector) node(node parse.Node) {
	switch node := node.(type) {
	case *parse.ListNode:
		if node != nil {
			for _, child := range node.Nodes {
				looking.node(child)
			}
		}
	case *parse.ActionNode:
		looking.node(node.Pipe)
	case *parse.PipeNode:
		if node != nil {
			for _, command := range node.Cmds {
				looking.node(command)
			}
		}
	case *parse.CommandNode:
		looking.command(node)
	case *parse.FieldNode:
		looking.field(node)
	case *parse.ChainNode:
		looking.node(node.Node)
	case *parse.IdentifierNode:
		found := looking.use([]string{node.Ident}, int(node.Pos))
		looking.uses.Functions = append(looking.uses.Functions, found)
		if !isBuiltin(node.Ident) && packageFunctions[node.Ident] == nil {
			looking.uses.Undefined = append(looking.uses.Undefined, found)
		}
	case *parse.IfNode:
		looking.branch(&node.BranchNode)
	case *parse.WithNode:
		looking.branch(&node.BranchNode)
	case *parse.RangeNode:
		looking.branch(&node.BranchNode)
	case *parse.TemplateNode:
		looking.node(node.Pipe)
	}
}

func (looking *inspector) branch(branch *parse.BranchNode) {
	looking.node(branch.Pipe)
	looking.node(branch.List)
	looking.node(branch.ElseList)
}

// command reads index .a "b" "c" as the chain .a.b.c.
func (looking *inspector) command(command *parse.CommandNode) {
	name, isName := command.Args[0].(*parse.IdentifierNode)
	if isName && name.Ident == "index" && len(command.Args) > 2 {
		field, isField := command.Args[1].(*parse.FieldNode)
		var keys []string
		for _, argument := range command.Args[2:] {
			if text, isText := argument.(*parse.StringNode); isText {
				keys = append(keys, text.Text)
			}
		}
		if isField && len(keys) == len(command.Args)-2 {
			looking.field(field, keys...)
			return
		}
	}
	for _, argument := range command.Args {
		looking.node(argument)
	}
}

func isBuiltin(name string) bool {
	switch name {
	case "and", "or", "not", "len", "index", "slice", "call", "eq", "ne", "lt", "le", "gt", "ge",
		"print", "printf", "println", "html", "js", "urlquery", "break", "continue":
		return true
	}
	return false
}
