package engine

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"text/template"
	"text/template/parse"

	ci "helm.sh/helm/v4/pkg/chart"
	"helm.sh/helm/v4/pkg/chart/common"
)

// ownName stands for the name of a file while it is parsed alone; no template can name it.
const ownName = "\x00file"

var errLargeOutput = errors.New("the output is too large")

// ParsedFile is what one file of templates defines, whatever the file is called.
type ParsedFile struct{ trees map[string]*parse.Tree }

// Reusable renders as Engine does, with files that are parsed once.
type Reusable struct {
	base    *template.Template
	maximum int
}

// NewReusable takes functions to put in place of Engine's, and the largest output in bytes.
func NewReusable(functions template.FuncMap, maximum int) Reusable {
	base := template.New("gotpl")
	Engine{CustomTemplateFuncs: functions}.addFunctions(base)
	return Reusable{base, maximum}
}

// Parse parses the text of one file.
func (r Reusable) Parse(text string) (ParsedFile, error) {
	alone, err := r.base.Clone()
	if err != nil {
		return ParsedFile{}, err
	}
	if _, err := alone.New(ownName).Parse(text); err != nil {
		return ParsedFile{}, err
	}
	trees := map[string]*parse.Tree{}
	for _, each := range alone.Templates() {
		trees[each.Name()] = each.Tree
	}
	return ParsedFile{trees}, nil
}

// Render returns the output of each file that is not a partial. parsed returns a file that was parsed.
func (r Reusable) Render(chrt ci.Charter, values common.Values, parsed func(text string) (ParsedFile, error)) (rendered map[string]string, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("%v", reason)
		}
	}()
	templates := allTemplates(chrt, values)
	names := sortTemplates(templates)
	all, err := r.assemble(templates, names, parsed)
	if err != nil {
		return nil, err
	}
	rendered = make(map[string]string, len(names))
	left := r.maximum
	for _, name := range names {
		if strings.HasPrefix(path.Base(name), "_") {
			continue
		}
		vals := templates[name].vals
		vals["Template"] = common.Values{"Name": name, "BasePath": templates[name].basePath}
		output := boundedBuilder{left: left}
		if err := all.ExecuteTemplate(&output, name, vals); err != nil {
			return nil, err
		}
		left = output.left
		rendered[name] = strings.ReplaceAll(output.text.String(), "<no value>", "")
	}
	return rendered, nil
}

// assemble makes one set of all files, in the order in which later definitions replace earlier ones.
func (r Reusable) assemble(templates map[string]renderable, names []string, parsed func(string) (ParsedFile, error)) (*template.Template, error) {
	all, err := r.base.Clone()
	if err != nil {
		return nil, err
	}
	all.Option("missingkey=zero")
	includedNames := map[string]int{}
	all.Funcs(template.FuncMap{
		"include": includeFun(all, includedNames),
		"tpl":     tplFun(all, includedNames, false),
	})
	for _, name := range names {
		file, err := parsed(templates[name].tpl)
		if err != nil {
			return nil, err
		}
		for defined, tree := range file.trees {
			if defined == ownName {
				defined = name
			}
			if _, err := all.AddParseTree(defined, tree); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

type boundedBuilder struct {
	text strings.Builder
	left int
}

func (output *boundedBuilder) Write(part []byte) (int, error) {
	output.left -= len(part)
	if output.left < 0 {
		return 0, errLargeOutput
	}
	return output.text.Write(part)
}
