package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
	"helm.sh/helm/v4/pkg/engine"
	release "helm.sh/helm/v4/pkg/release/v1"
)

const (
	maximumOutput = 32 << 20
	notes         = "NOTES.txt"
)

var (
	reusable = engine.NewReusable(replacements(), maximumOutput)
	// goVersion is that of the helm program whose place this takes: templates see it. It is linked; empty where the program has many builds.
	goVersion string
	parsed    = newCache[engine.ParsedFile](maximumTexts)
	schemas   = newCache[*jsonschema.Schema](maximumTexts)
)

func init() {
	util.SchemaOf = func(text []byte) (*jsonschema.Schema, error) {
		return schemas.made(string(text), len(text), func() (*jsonschema.Schema, error) { return util.CompileSchema(text) })
	}
}

// buildFields are what templates see of the build of helm beside its version.
var buildFields = regexp.MustCompile(`GoVersion|GitCommit|GitTreeState`)

// parse returns a parsed file. Each file of templates has at least one tree, so that small ones are not free.
func parse(text string) (engine.ParsedFile, error) {
	if goVersion == "" && buildFields.MatchString(text) {
		return engine.ParsedFile{}, unsupported("does not know how helm was built")
	}
	return parsed.made(text, len(text)+256, func() (engine.ParsedFile, error) { return reusable.Parse(text) })
}

// renderChart does what helm template does, and returns what it prints.
func renderChart(whole *chart.Chart, given request) (string, error) {
	values, err := given.values()
	if err != nil {
		return "", err
	}
	if err := checkChart(whole); err != nil {
		return "", err
	}
	if err := chartutil.ValidateReleaseName(given.Release); err != nil {
		return "", err
	}
	if err := chartutil.ProcessDependencies(whole, values); err != nil {
		return "", err
	}
	capabilities, err := given.capabilities()
	if err != nil {
		return "", err
	}
	options := common.ReleaseOptions{Name: given.Release, Namespace: given.Namespace, Revision: 1, IsInstall: true}
	top, err := util.ToRenderValuesWithSchemaValidation(whole, values, options, capabilities, given.SkipSchemaValidation)
	if err != nil {
		return "", err
	}
	required := whole.Metadata.KubeVersion
	if required != "" && !chartutil.IsCompatibleRange(required, capabilities.KubeVersion.String()) {
		return "", fmt.Errorf("the chart requires Kubernetes %s", required)
	}
	files, err := reusable.Render(whole, top, parse)
	if err != nil {
		return "", err
	}
	for name := range files {
		if strings.HasSuffix(name, notes) {
			delete(files, name)
		}
	}
	return printed(whole, files, given)
}

// checkChart finds what Helm checks after it has loaded a chart.
func checkChart(whole *chart.Chart) error {
	if kind := whole.Metadata.Type; kind != "" && kind != "application" {
		return errors.New("the chart cannot be installed")
	}
	for _, wanted := range whole.Metadata.Dependencies {
		isThere := func(below *chart.Chart) bool { return below.Name() == wanted.Name }
		if !slices.ContainsFunc(whole.Dependencies(), isThere) {
			return errors.New("a dependency is missing")
		}
	}
	return nil
}

func (given request) capabilities() (*common.Capabilities, error) {
	capabilities := common.DefaultCapabilities.Copy()
	capabilities.HelmVersion.GoVersion = goVersion
	if given.KubeVersion != "" {
		version, err := common.ParseKubeVersion(given.KubeVersion)
		if err != nil {
			return nil, err
		}
		capabilities.KubeVersion = *version
	}
	capabilities.APIVersions = slices.Concat(capabilities.APIVersions, given.APIVersions)
	return capabilities, nil
}

// printed writes definitions, manifests in the order of their installation, and hooks.
func printed(whole *chart.Chart, files map[string]string, given request) (string, error) {
	hooks, manifests, err := sortManifests(files)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	if given.IncludeCRDs {
		for _, definition := range whole.CRDObjects() {
			document(&text, definition.Filename, string(definition.File.Data))
		}
	}
	for _, manifest := range manifests {
		document(&text, manifest.Name, manifest.Content)
	}
	var output strings.Builder
	fmt.Fprintln(&output, strings.TrimSpace(text.String()))
	for _, hook := range hooks {
		if given.SkipTests && slices.Contains(hook.Events, release.HookTest) {
			continue
		}
		document(&output, hook.Path, hook.Manifest)
	}
	return output.String(), nil
}

func document(output *strings.Builder, source, text string) {
	fmt.Fprintf(output, "---\n# Source: %s\n%s\n", source, text)
}
